// Buffer loads and stores (MUBUF), and buffer loads straight to LDS. Out of range they read 0 and write
// nothing. Source of the operations: AMD CDNA3 ISA reference guide, chapter "Vector Memory Instructions".
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/buffer_memory.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/buffer_address-inl.hpp"
#include "emulator/isa/lds_direct-inl.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/vector_transfer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;

/// What lane `lane` reads: its bytes in range, zeros after them.
HWY_INLINE std::array<std::byte, 16> partial_bytes(const VectorAccess& access, int lane) {
  std::array<std::byte, 16> bytes{};
  const size_t count = access.valid_bytes[lane];
  if (count != 0) std::memcpy(bytes.data(), host(access.partial_address[lane]), count);
  return bytes;
}

void complete_load(VectorAccess& access, Wave& w) {
  const std::byte* consecutive = access.consecutive ? host(access.address[0]) : nullptr;
  load_shape(w, access.inst->dst, access.exec, access.inst->extra, consecutive,
             [&access](int lane) { return host(access.address[lane]); });
  for (uint64_t left = access.zero; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const auto bytes = partial_bytes(access, lane);
    load_shape(w, access.inst->dst, uint64_t{1} << lane, access.inst->extra, nullptr,
               [&bytes](int) { return bytes.data(); });
  }
}
void complete_store(VectorAccess& access, Wave&) {
  std::byte* consecutive = access.consecutive ? host(access.address[0]) : nullptr;
  store_shape(access.data[0].data(), access.exec, access.inst->extra, consecutive,
              [&access](int lane) { return host(access.address[lane]); });
  for (uint64_t left = access.zero; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::array<std::byte, 16> bytes{};
    store_shape(access.data[0].data(), uint64_t{1} << lane, access.inst->extra, nullptr,
                [&bytes](int) { return bytes.data(); });
    const size_t count = access.valid_bytes[lane];
    if (count != 0) std::memcpy(host(access.partial_address[lane]), bytes.data(), count);
  }
}
void complete_load_to_lds(VectorAccess& access, Wave& w) {
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    write_lds_lane(access, w, lane, host(access.address[lane]));
  }
  for (uint64_t left = access.zero; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    write_lds_lane(access, w, lane, partial_bytes(access, lane).data());
  }
}

void load(const Instruction& inst, Wave& w) {
  begin_buffer(inst, w, shape_bytes(inst.extra));
}
void store(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin_buffer(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) capture(*access, w, inst.src[kData].reg, shape_rows(inst.extra));
}
void load_to_lds(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin_buffer(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) begin_lds_destination(inst, w, *access);
}

Status build_load(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_buffer_address(context, 1, instruction);
}
Status build_store(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  if (Status s = build_data(context, 0, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_buffer_address(context, 1, instruction);
}
Status build_load_to_lds(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  return build_buffer_address(context, 0, instruction);
}
void no_effect(const Instruction&, Wave&) {}
Status build_nothing(const BuildContext&, Instruction&) {
  return {};
}

constexpr InstructionClass kClass = InstructionClass::global_memory;
constexpr Row load_row(std::string_view name, u32 shape) {
  return {name, &load, &build_load, kClass, OperandType::none, {}, shape, &complete_load};
}
constexpr Row store_row(std::string_view name, u32 shape) {
  return {name, &store, &build_store, kClass, OperandType::none, {}, shape, &complete_store};
}
/// The lds modifier makes another instruction of a load: rows of their own, named "... lds".
constexpr Row lds_row(std::string_view name, u32 shape) {
  return {name, &load_to_lds,        &build_load_to_lds,   kClass, OperandType::none,
          {},   shape | kShapeToLds, &complete_load_to_lds};
}

constexpr Row kRows[] = {
    load_row("buffer_load_ubyte", 1),
    load_row("buffer_load_sbyte", 1 | kShapeSigned),
    load_row("buffer_load_ushort", 2),
    load_row("buffer_load_sshort", 2 | kShapeSigned),
    load_row("buffer_load_ubyte_d16", 1 | kShapeHalf),
    load_row("buffer_load_ubyte_d16_hi", 1 | kShapeHalf | kShapeHigh),
    load_row("buffer_load_sbyte_d16", 1 | kShapeSigned | kShapeHalf),
    load_row("buffer_load_sbyte_d16_hi", 1 | kShapeSigned | kShapeHalf | kShapeHigh),
    load_row("buffer_load_short_d16", 2 | kShapeHalf),
    load_row("buffer_load_short_d16_hi", 2 | kShapeHalf | kShapeHigh),
    load_row("buffer_load_dword", 4),
    load_row("buffer_load_dwordx2", 8),
    load_row("buffer_load_dwordx3", 12),
    load_row("buffer_load_dwordx4", 16),
    store_row("buffer_store_byte", 1),
    store_row("buffer_store_byte_d16_hi", 1 | kShapeHigh),
    store_row("buffer_store_short", 2),
    store_row("buffer_store_short_d16_hi", 2 | kShapeHigh),
    store_row("buffer_store_dword", 4),
    store_row("buffer_store_dwordx2", 8),
    store_row("buffer_store_dwordx3", 12),
    store_row("buffer_store_dwordx4", 16),
    lds_row("buffer_load_ubyte lds", 1),
    lds_row("buffer_load_sbyte lds", 1 | kShapeSigned),
    lds_row("buffer_load_ushort lds", 2),
    lds_row("buffer_load_sshort lds", 2 | kShapeSigned),
    lds_row("buffer_load_dword lds", 4),
    lds_row("buffer_load_dwordx3 lds", 12),
    lds_row("buffer_load_dwordx4 lds", 16),
    // Cache control: memory here is always coherent.
    {"buffer_wbl2", &no_effect, &build_nothing, InstructionClass::other},
    {"buffer_inv", &no_effect, &build_nothing, InstructionClass::other},
};

}  // namespace

std::span<const Row> buffer_memory_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(buffer_memory_rows);
std::span<const Row> buffer_memory_rows() {
  return HWY_DYNAMIC_DISPATCH(buffer_memory_rows)();
}
}  // namespace mxproof::emulator
#endif
