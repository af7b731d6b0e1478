// Loads and stores of global, flat and scratch memory, and loads from global memory straight to LDS.
// Source of the operations: AMD CDNA3 ISA reference guide, chapter "Flat Memory Instructions"; LLVM
// documentation of gfx950 for the wider loads to LDS.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/global_memory.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lds_direct-inl.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/vector_address-inl.hpp"
#include "emulator/isa/vector_transfer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

// ---- Completion ----

void complete_load(VectorAccess& access, Wave& w) {
  const std::byte* consecutive = access.consecutive ? host(access.address[0]) : nullptr;
  load_shape(w, access.inst->dst, access.exec, access.inst->extra, consecutive,
             [&access](int lane) { return host(access.address[lane]); });
}
void complete_store(VectorAccess& access, Wave&) {
  std::byte* consecutive = access.consecutive ? host(access.address[0]) : nullptr;
  store_shape(access.data[0].data(), access.exec, access.inst->extra, consecutive,
              [&access](int lane) { return host(access.address[lane]); });
}
void complete_load_to_lds(VectorAccess& access, Wave& w) {
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    write_lds_lane(access, w, lane, host(access.address[lane]));
  }
}

// ---- Issue ----

template <AddressMode Mode>
void load(const Instruction& inst, Wave& w) {
  begin<Mode>(inst, w, shape_bytes(inst.extra));
}

template <AddressMode Mode>
void store(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin<Mode>(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) capture(*access, w, inst.src[kData].reg, shape_rows(inst.extra));
}

template <AddressMode Mode>
void load_to_lds(const Instruction& inst, Wave& w) {
  VectorAccess* access = begin<Mode>(inst, w, shape_bytes(inst.extra));
  if (access != nullptr) begin_lds_destination(inst, w, *access);
}

// ---- Operands ----

template <AddressMode Mode>
Status build_load(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, Mode == AddressMode::flat ? 2 : 3); !s.ok()) return s;
  if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_address<Mode>(context, 1, 2, instruction);
}
template <AddressMode Mode>
Status build_store(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, Mode == AddressMode::flat ? 2 : 3); !s.ok()) return s;
  if (Status s = build_data(context, 1, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_address<Mode>(context, 0, 2, instruction);
}
template <AddressMode Mode>
Status build_load_to_lds(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  return build_address<Mode>(context, 0, 1, instruction);
}

// ---- Rows ----

constexpr InstructionClass class_of(AddressMode mode) {
  return mode == AddressMode::scratch ? InstructionClass::scratch : InstructionClass::global_memory;
}
template <AddressMode Mode>
constexpr Row load_row(std::string_view name, uint32_t shape) {
  return {name, &load<Mode>, &build_load<Mode>, class_of(Mode), OperandType::none, {}, shape, &complete_load};
}
template <AddressMode Mode>
constexpr Row store_row(std::string_view name, uint32_t shape) {
  return {name, &store<Mode>, &build_store<Mode>, class_of(Mode), OperandType::none,
          {},   shape,        &complete_store};
}
template <AddressMode Mode>
constexpr Row lds_row(std::string_view name, uint32_t shape) {
  return {name, &load_to_lds<Mode>,  &build_load_to_lds<Mode>, class_of(Mode), OperandType::none,
          {},   shape | kShapeToLds, &complete_load_to_lds};
}

#define MEMORY_ROWS(prefix, mode)                                                                        \
  load_row<mode>(prefix "_load_ubyte", 1), load_row<mode>(prefix "_load_sbyte", 1 | kShapeSigned),       \
      load_row<mode>(prefix "_load_ushort", 2), load_row<mode>(prefix "_load_sshort", 2 | kShapeSigned), \
      load_row<mode>(prefix "_load_ubyte_d16", 1 | kShapeHalf),                                          \
      load_row<mode>(prefix "_load_ubyte_d16_hi", 1 | kShapeHalf | kShapeHigh),                          \
      load_row<mode>(prefix "_load_sbyte_d16", 1 | kShapeSigned | kShapeHalf),                           \
      load_row<mode>(prefix "_load_sbyte_d16_hi", 1 | kShapeSigned | kShapeHalf | kShapeHigh),           \
      load_row<mode>(prefix "_load_short_d16", 2 | kShapeHalf),                                          \
      load_row<mode>(prefix "_load_short_d16_hi", 2 | kShapeHalf | kShapeHigh),                          \
      load_row<mode>(prefix "_load_dword", 4), load_row<mode>(prefix "_load_dwordx2", 8),                \
      load_row<mode>(prefix "_load_dwordx3", 12), load_row<mode>(prefix "_load_dwordx4", 16),            \
      store_row<mode>(prefix "_store_byte", 1),                                                          \
      store_row<mode>(prefix "_store_byte_d16_hi", 1 | kShapeHigh),                                      \
      store_row<mode>(prefix "_store_short", 2),                                                         \
      store_row<mode>(prefix "_store_short_d16_hi", 2 | kShapeHigh),                                     \
      store_row<mode>(prefix "_store_dword", 4), store_row<mode>(prefix "_store_dwordx2", 8),            \
      store_row<mode>(prefix "_store_dwordx3", 12), store_row<mode>(prefix "_store_dwordx4", 16)

constexpr AddressMode kGlobal = AddressMode::global;
constexpr AddressMode kFlat = AddressMode::flat;
constexpr AddressMode kScratch = AddressMode::scratch;

constexpr Row kRows[] = {
    MEMORY_ROWS("global", kGlobal),
    MEMORY_ROWS("flat", kFlat),
    MEMORY_ROWS("scratch", kScratch),
    lds_row<kGlobal>("global_load_lds_ubyte", 1),
    lds_row<kGlobal>("global_load_lds_sbyte", 1 | kShapeSigned),
    lds_row<kGlobal>("global_load_lds_ushort", 2),
    lds_row<kGlobal>("global_load_lds_sshort", 2 | kShapeSigned),
    lds_row<kGlobal>("global_load_lds_dword", 4),
    lds_row<kGlobal>("global_load_lds_dwordx3", 12),
    lds_row<kGlobal>("global_load_lds_dwordx4", 16),
    lds_row<kScratch>("scratch_load_lds_ubyte", 1),
    lds_row<kScratch>("scratch_load_lds_sbyte", 1 | kShapeSigned),
    lds_row<kScratch>("scratch_load_lds_ushort", 2),
    lds_row<kScratch>("scratch_load_lds_sshort", 2 | kShapeSigned),
    lds_row<kScratch>("scratch_load_lds_dword", 4),
};

}  // namespace

std::span<const Row> global_memory_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(global_memory_rows);
std::span<const Row> global_memory_rows() {
  return HWY_DYNAMIC_DISPATCH(global_memory_rows)();
}
}  // namespace mxproof::emulator
#endif
