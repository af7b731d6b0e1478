// LDS instructions that compilers hardly ever emit: exchanges at two addresses, conditional exchange,
// wrapping subtraction, and accesses addressed by the lane's number. Source of the operations: AMD CDNA3 ISA
// reference guide, chapter "Data Share".
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/lds_exchange.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/lds_address-inl.hpp"
#include "emulator/isa/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using u64 = uint64_t;

u32 encoded_offset(const BuildContext& context) {
  return context.words[0] & 0xffffU;
}

// ---- Two exchanges: the value at offset0 with data0, then that at offset1 with data1 ----

void exchange2(const Instruction& inst, Wave& w) {
  begin_lds_write2(inst, w, shape_bytes(inst.extra), shape_rows(inst.extra));
}
void complete_exchange2(LdsAccess& access, Wave& w) {
  const Instruction& inst = *access.inst;
  const int rows = shape_rows(inst.extra);
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    for (int i = 0; i < 2; ++i) {
      std::byte* memory =
          lds_at(w, access.address[lane], static_cast<u32>(i == 0 ? inst.offset : inst.offset2));
      for (int k = 0; k < rows; ++k) {
        u32 old;
        std::memcpy(&old, memory + 4 * k, sizeof old);
        std::memcpy(memory + 4 * k, &access.data[i * rows + k][lane], sizeof old);
        w.row(static_cast<uint16_t>(inst.dst + i * rows + k))[lane] = old;
      }
    }
  }
}
Status build_exchange2(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 4); !s.ok()) return s;
  const u32 encoded = encoded_offset(context);
  const bool far = context.row.name.find("st64") != std::string_view::npos;
  const u32 unit = shape_bytes(context.row.extra) * (far ? 64U : 1U);
  instruction.offset = static_cast<int32_t>((encoded & 0xffU) * unit);
  instruction.offset2 = static_cast<int32_t>((encoded >> 8) * unit);
  const int rows = shape_rows(context.row.extra);
  if (Status s = build_destination(context, 0, 2 * rows, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, 1, 1, kLdsAddress, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, 2, rows, kLdsData, instruction); !s.ok()) return s;
  return build_lds_register(context, 3, rows, kLdsData2, instruction);
}

// ---- One address, old value returned ----

void exchange(const Instruction& inst, Wave& w) {
  LdsAccess& access = open_lds(inst, w);
  if (!begin_lds(inst, w, access, static_cast<u32>(inst.offset), shape_bytes(inst.extra))) return;
  const int rows = shape_rows(inst.extra);
  capture_lds(access, 0, w, inst.src[kLdsData].reg, rows);
  if (inst.src[kLdsData2].kind != SourceKind::none)
    capture_lds(access, rows, w, inst.src[kLdsData2].reg, rows);
}
/// Memory becomes old - data0 where old >= data0, else old + data1.
void complete_wrap(LdsAccess& access, Wave& w) {
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::byte* memory = lds_at(w, access.address[lane], static_cast<u32>(access.inst->offset));
    u32 old;
    std::memcpy(&old, memory, sizeof old);
    const u32 limit = access.data[0][lane];
    const u32 value = old >= limit ? old - limit : old + access.data[1][lane];
    std::memcpy(memory, &value, sizeof value);
    w.row(access.inst->dst)[lane] = old;
  }
}
/// Each dword of the pair is replaced by the low 31 bits of its data where their top bit is set.
void complete_conditional(LdsAccess& access, Wave& w) {
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::byte* memory = lds_at(w, access.address[lane], static_cast<u32>(access.inst->offset));
    for (int k = 0; k < 2; ++k) {
      u32 old;
      std::memcpy(&old, memory + 4 * k, sizeof old);
      const u32 value = access.data[k][lane] & 0x7fffffffU;
      if ((access.data[k][lane] >> 31) != 0) std::memcpy(memory + 4 * k, &value, sizeof value);
      w.row(static_cast<uint16_t>(access.inst->dst + k))[lane] = old;
    }
  }
}
Status build_exchange(const BuildContext& context, Instruction& instruction) {
  const bool two = context.row.name == "ds_wrap_rtn_b32";
  if (Status s = need_operands(context, two ? 4 : 3); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  const int rows = shape_rows(context.row.extra);
  if (Status s = build_destination(context, 0, rows, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, 1, 1, kLdsAddress, instruction); !s.ok()) return s;
  if (Status s = build_lds_register(context, 2, rows, kLdsData, instruction); !s.ok()) return s;
  return two ? build_lds_register(context, 3, rows, kLdsData2, instruction) : Status();
}

// ---- Addressed by lane: M0[15:0] + offset + 4 * lane ----

bool begin_by_lane(const Instruction& inst, Wave& w, LdsAccess& access) {
  const u32 base = w.sgpr[kM0] & 0xffffU;
  for (int lane = 0; lane < kLanes; ++lane) access.address[lane] = base + 4 * static_cast<u32>(lane);
  return check_lds(inst, w, access, static_cast<u32>(inst.offset), 4);
}
void read_by_lane(const Instruction& inst, Wave& w) {
  begin_by_lane(inst, w, open_lds(inst, w));
}
void write_by_lane(const Instruction& inst, Wave& w) {
  LdsAccess& access = open_lds(inst, w);
  if (begin_by_lane(inst, w, access)) capture_lds(access, 0, w, inst.src[kLdsData].reg, 1);
}
void complete_read_by_lane(LdsAccess& access, Wave& w) {
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(&w.row(access.inst->dst)[lane],
                lds_at(w, access.address[lane], static_cast<u32>(access.inst->offset)), 4);
  }
}
void complete_write_by_lane(LdsAccess& access, Wave& w) {
  for (u64 left = access.exec; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    std::memcpy(lds_at(w, access.address[lane], static_cast<u32>(access.inst->offset)), &access.data[0][lane],
                4);
  }
}
Status build_read_by_lane(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  return build_destination(context, 0, 1, instruction);
}
Status build_write_by_lane(const BuildContext& context, Instruction& instruction) {
  if (Status s = need_operands(context, 1); !s.ok()) return s;
  instruction.offset = static_cast<int32_t>(encoded_offset(context));
  return build_lds_register(context, 0, 1, kLdsData, instruction);
}

constexpr Row row(std::string_view name, Handler run, Builder build, u32 shape,
                  void (*complete)(LdsAccess&, Wave&)) {
  return {name, run, build, InstructionClass::lds, OperandType::none, {}, shape, nullptr, complete};
}
constexpr Row pair(std::string_view name, u32 bytes) {
  return row(name, &exchange2, &build_exchange2, bytes, &complete_exchange2);
}

constexpr Row kRows[] = {
    pair("ds_wrxchg2_rtn_b32", 4),
    pair("ds_wrxchg2_rtn_b64", 8),
    pair("ds_wrxchg2st64_rtn_b32", 4),
    pair("ds_wrxchg2st64_rtn_b64", 8),
    row("ds_wrap_rtn_b32", &exchange, &build_exchange, 4, &complete_wrap),
    row("ds_condxchg32_rtn_b64", &exchange, &build_exchange, 8, &complete_conditional),
    row("ds_read_addtid_b32", &read_by_lane, &build_read_by_lane, 4, &complete_read_by_lane),
    row("ds_write_addtid_b32", &write_by_lane, &build_write_by_lane, 4, &complete_write_by_lane),
};

}  // namespace

std::span<const Row> lds_exchange_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(lds_exchange_rows);
std::span<const Row> lds_exchange_rows() {
  return HWY_DYNAMIC_DISPATCH(lds_exchange_rows)();
}
}  // namespace mxproof::emulator
#endif
