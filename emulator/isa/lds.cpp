// LDS loads and stores, and the lane permutations that go through the LDS hardware. All of them take effect
// at their wait, in order. Source of the operations: AMD CDNA3 ISA reference guide, chapter "Data Share".
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/lds.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lds_address-inl.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/vector_transfer-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;

// ---- One address ----

void ds_read(const Instruction& inst, Wave& w) {
  begin_lds(inst, w, open_lds(inst, w), static_cast<u32>(inst.offset), shape_bytes(inst.extra));
}
void ds_write(const Instruction& inst, Wave& w) {
  LdsAccess& access = open_lds(inst, w);
  if (begin_lds(inst, w, access, static_cast<u32>(inst.offset), shape_bytes(inst.extra))) {
    capture_lds(access, 0, w, inst.src[kLdsData].reg, shape_rows(inst.extra));
  }
}
void complete_read(LdsAccess& access, Wave& w) {
  const auto offset = static_cast<u32>(access.inst->offset);
  const std::byte* consecutive = access.consecutive ? lds_at(w, access.address[0], offset) : nullptr;
  load_shape(w, access.inst->dst, access.exec, access.inst->extra, consecutive,
             [&](int lane) { return lds_at(w, access.address[lane], offset); });
}
void complete_write(LdsAccess& access, Wave& w) {
  const auto offset = static_cast<u32>(access.inst->offset);
  std::byte* consecutive = access.consecutive ? lds_at(w, access.address[0], offset) : nullptr;
  store_shape(access.data[0].data(), access.exec, access.inst->extra, consecutive,
              [&](int lane) { return lds_at(w, access.address[lane], offset); });
}

// ---- Two addresses: offset0 and offset1, in units of the element (or of 64 elements) ----

u32 offset0(const Instruction& inst) {
  return static_cast<u32>(inst.offset);
}
u32 offset1(const Instruction& inst) {
  return static_cast<u32>(inst.offset2);
}

void ds_read2(const Instruction& inst, Wave& w) {
  begin_lds2(inst, w, open_lds(inst, w), shape_bytes(inst.extra));
}
void ds_write2(const Instruction& inst, Wave& w) {
  begin_lds_write2(inst, w, shape_bytes(inst.extra), shape_rows(inst.extra));
}
void complete_read2(LdsAccess& access, Wave& w) {
  const Instruction& inst = *access.inst;
  const int rows = shape_rows(inst.extra);
  for (int i = 0; i < 2; ++i) {
    const u32 offset = i == 0 ? offset0(inst) : offset1(inst);
    const std::byte* consecutive = access.consecutive ? lds_at(w, access.address[0], offset) : nullptr;
    load_shape(w, static_cast<uint16_t>(inst.dst + i * rows), access.exec, inst.extra, consecutive,
               [&](int lane) { return lds_at(w, access.address[lane], offset); });
  }
}
void complete_write2(LdsAccess& access, Wave& w) {
  const Instruction& inst = *access.inst;
  const int rows = shape_rows(inst.extra);
  for (int i = 0; i < 2; ++i) {
    const u32 offset = i == 0 ? offset0(inst) : offset1(inst);
    std::byte* consecutive = access.consecutive ? lds_at(w, access.address[0], offset) : nullptr;
    store_shape(access.data[i * rows].data(), access.exec, inst.extra, consecutive,
                [&](int lane) { return lds_at(w, access.address[lane], offset); });
  }
}

// ---- Lane permutations: no LDS memory is touched ----

/// Captures the address operand and data.
void permute(const Instruction& inst, Wave& w) {
  LdsAccess& access = open_lds(inst, w);
  if (inst.src[kLdsAddress].kind != SourceKind::none)
    std::memcpy(access.address.data(), w.row(inst.src[kLdsAddress].reg), sizeof access.address);
  capture_lds(access, 0, w, inst.src[kLdsData].reg, 1);
}
/// Pull: lane reads the data of lane address/4; inactive source lanes give 0.
void complete_bpermute(LdsAccess& access, Wave& w) {
  uint32_t* d = w.row(access.inst->dst);
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const u32 source = ((access.address[lane] + static_cast<u32>(access.inst->offset)) >> 2) & 63U;
    d[lane] = ((access.exec >> source) & 1U) != 0 ? access.data[0][source] : 0;
  }
}
/// Push: lane sends its data to lane address/4; the highest sender wins; lanes that nobody sends to get 0.
void complete_permute(LdsAccess& access, Wave& w) {
  alignas(64) uint32_t received[kLanes] = {};
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    received[((access.address[lane] + static_cast<u32>(access.inst->offset)) >> 2) & 63U] =
        access.data[0][lane];
  }
  blend_row(w.row(access.inst->dst), received, access.exec);
}
/// Offset bit 15: quad permutation, else within 32 lanes: lane' = ((lane & and) | or) ^ xor.
void complete_swizzle(LdsAccess& access, Wave& w) {
  const auto pattern = static_cast<u32>(access.inst->offset);
  uint32_t* d = w.row(access.inst->dst);
  for (uint64_t left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    int source;
    if ((pattern & 0x8000U) != 0) {
      source = (lane & ~3) | static_cast<int>((pattern >> (2 * (lane & 3))) & 3U);
    } else {
      const u32 low =
          ((static_cast<u32>(lane) & (pattern & 31U)) | ((pattern >> 5) & 31U)) ^ ((pattern >> 10) & 31U);
      source = (lane & 32) | static_cast<int>(low);
    }
    d[lane] = ((access.exec >> source) & 1U) != 0 ? access.data[0][source] : 0;
  }
}

// ---- Operands; offsets come from the encoding, whose text has symbolic forms ----

u32 encoded_offset(const BuildContext& context) {
  return context.words[0] & 0xffffU;
}

Status build_read(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  if (Status s = build_destination(context, 0, shape_rows(context.row.extra), instruction); !s.ok()) return s;
  return build_lds_register(context, 1, 1, kLdsAddress, instruction);
}
Status build_write(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  if (Status s = build_lds_register(context, 1, shape_rows(context.row.extra), kLdsData, instruction);
      !s.ok())
    return s;
  return build_lds_register(context, 0, 1, kLdsAddress, instruction);
}
void set_pair_of_offsets(const BuildContext& context, Instruction& instruction) {
  const u32 encoded = encoded_offset(context);
  const u32 unit =
      shape_bytes(context.row.extra) * (context.row.name.find("st64") != std::string_view::npos ? 64U : 1U);
  instruction.offset = static_cast<int32_t>((encoded & 0xffU) * unit);
  instruction.offset2 = static_cast<int32_t>((encoded >> 8) * unit);
}
Status build_read2(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  set_pair_of_offsets(context, instruction);
  if (Status s = build_destination(context, 0, 2 * shape_rows(context.row.extra), instruction); !s.ok())
    return s;
  return build_lds_register(context, 1, 1, kLdsAddress, instruction);
}
Status build_write2(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  set_pair_of_offsets(context, instruction);
  const int rows = shape_rows(context.row.extra);
  if (Status s = build_lds_register(context, 1, rows, kLdsData, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, 2, rows, kLdsData2, instruction); !s.ok()) return s;
  return build_lds_register(context, 0, 1, kLdsAddress, instruction);
}
Status build_permute(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 3); !s.ok()) return s;
  if (Status s = build_lds_register(context, 2, 1, kLdsData, instruction); !s.ok()) return s;
  return build_read(context, instruction);
}
Status build_swizzle(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 2); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  if (Status s = build_destination(context, 0, 1, instruction); !s.ok()) return s;
  return build_lds_register(context, 1, 1, kLdsData, instruction);
}
Status build_nothing(const BuildContext&, Instruction&) {
  return {};
}
void ds_nop(const Instruction&, Wave&) {}

constexpr Row row(std::string_view name, Handler run, Builder build, uint32_t shape,
                  void (*complete)(LdsAccess&, Wave&)) {
  return {name, run, build, InstructionClass::lds, OperandType::none, {}, shape, nullptr, complete};
}
constexpr Row read(std::string_view name, uint32_t shape) {
  return row(name, &ds_read, &build_read, shape, &complete_read);
}
constexpr Row write(std::string_view name, uint32_t shape) {
  return row(name, &ds_write, &build_write, shape, &complete_write);
}
constexpr Row read2(std::string_view name, uint32_t shape) {
  return row(name, &ds_read2, &build_read2, shape, &complete_read2);
}
constexpr Row write2(std::string_view name, uint32_t shape) {
  return row(name, &ds_write2, &build_write2, shape, &complete_write2);
}

constexpr Row kRows[] = {
    read("ds_read_u8", 1),
    read("ds_read_i8", 1 | kShapeSigned),
    read("ds_read_u16", 2),
    read("ds_read_i16", 2 | kShapeSigned),
    read("ds_read_u8_d16", 1 | kShapeHalf),
    read("ds_read_u8_d16_hi", 1 | kShapeHalf | kShapeHigh),
    read("ds_read_i8_d16", 1 | kShapeSigned | kShapeHalf),
    read("ds_read_i8_d16_hi", 1 | kShapeSigned | kShapeHalf | kShapeHigh),
    read("ds_read_u16_d16", 2 | kShapeHalf),
    read("ds_read_u16_d16_hi", 2 | kShapeHalf | kShapeHigh),
    read("ds_read_b32", 4),
    read("ds_read_b64", 8),
    read("ds_read_b96", 12),
    read("ds_read_b128", 16),
    write("ds_write_b8", 1),
    write("ds_write_b8_d16_hi", 1 | kShapeHigh),
    write("ds_write_b16", 2),
    write("ds_write_b16_d16_hi", 2 | kShapeHigh),
    write("ds_write_b32", 4),
    write("ds_write_b64", 8),
    write("ds_write_b96", 12),
    write("ds_write_b128", 16),
    read2("ds_read2_b32", 4),
    read2("ds_read2_b64", 8),
    read2("ds_read2st64_b32", 4),
    read2("ds_read2st64_b64", 8),
    write2("ds_write2_b32", 4),
    write2("ds_write2_b64", 8),
    write2("ds_write2st64_b32", 4),
    write2("ds_write2st64_b64", 8),
    row("ds_bpermute_b32", &permute, &build_permute, 4, &complete_bpermute),
    row("ds_permute_b32", &permute, &build_permute, 4, &complete_permute),
    row("ds_swizzle_b32", &permute, &build_swizzle, 4, &complete_swizzle),
    row("ds_nop", &ds_nop, &build_nothing, 4, nullptr),
};

}  // namespace

std::span<const Row> lds_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(lds_rows);
std::span<const Row> lds_rows() {
  return HWY_DYNAMIC_DISPATCH(lds_rows)();
}
}  // namespace mxproof::emulator
#endif
