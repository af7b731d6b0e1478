#include "emulator/watch/operands.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/matrix_operand.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

// Slots of memory instructions, as their builders fill them (emulator/isa/vector_address-inl.hpp and
// lds_address-inl.hpp).
constexpr size_t kData = 1;
constexpr size_t kLdsData2 = 2;
constexpr size_t kDescriptor = 2;
constexpr int kDescriptorWords = 4;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// s_or_b64 and its like with EXEC: how compilers gather the lanes that leave a loop.
bool is_mask_logic(const Instruction& inst) {
  const std::string_view name = inst.row->name;
  if (name != "s_or_b64" && name != "s_and_b64" && name != "s_andn2_b64" && name != "s_orn2_b64" &&
      name != "s_xor_b64")
    return false;
  return (inst.src[0].kind == SourceKind::scalar && inst.src[0].reg == kExec) ||
         (inst.src[1].kind == SourceKind::scalar && inst.src[1].reg == kExec);
}

/// Compilers use these for 32-bit results too, and leave the upper dwords unwritten.
bool is_wide(std::string_view name) {
  return name == "v_mad_u64_u32" || name == "v_mad_i64_i32" || name == "v_lshl_add_u64" ||
         name == "v_lshlrev_b64";
}

Flow flow_of(const Instruction& inst) {
  const std::string_view name = inst.row->name;
  if (is_wide(name)) return Flow::wide;
  if (is_mask_logic(inst)) return Flow::mask;
  if (name.starts_with("v_mov_b") || name.starts_with("v_accvgpr_") || name.starts_with("s_mov_b"))
    return Flow::copy;
  if (name == "v_cndmask_b32") return Flow::select;
  if (name == "v_swap_b32") return Flow::swap;
  if (name == "v_permlane16_swap_b32") return Flow::swap16;
  if (name == "v_permlane32_swap_b32") return Flow::swap32;
  if (name == "v_writelane_b32") return Flow::to_lane;
  if (name == "v_readlane_b32" || name == "v_readfirstlane_b32") return Flow::from_lane;
  return Flow::compute;
}

void add_scalars(ScalarSet& set, uint16_t first, int count) {
  for (int i = 0; i < count && first + i < kScalarRegisters; ++i)
    set.set(size_t{first} + static_cast<size_t>(i));
}

/// Special registers that the text does not name.
void add_implied(std::string_view name, OperandUse& o) {
  if (name.starts_with("s_cbranch_vcc") || name.starts_with("v_div_fmas"))
    add_scalars(o.scalar_reads, kVcc, 2);
  if (o.loads_to_lds || name == "ds_append" || name == "ds_consume" || name.starts_with("s_movrel"))
    add_scalars(o.scalar_reads, kM0, 1);
}

MemoryUse memory_of(const Instruction& inst) {
  if (inst.complete != nullptr) return MemoryUse::vector;
  if (inst.complete_lds != nullptr) return MemoryUse::lds;
  const bool loads = inst.row->instruction_class == InstructionClass::scalar_memory && inst.dst != kNone;
  return loads ? MemoryUse::scalar : MemoryUse::none;
}

/// LDS addresses: what works whatever the alignment mode. Reads and writes of pairs count a part at a time.
uint32_t lds_alignment(std::string_view name, uint32_t bytes) {
  if (contains(name, "read2") || contains(name, "write2")) return bytes;
  if (bytes == 12) return 16;
  return bytes;
}

void set_memory(const Instruction& inst, bool has_sc1, OperandUse& o) {
  const std::string_view name = inst.row->name;
  o.memory = memory_of(inst);
  o.is_atomic = contains(name, "_atomic_") ||
                (o.memory == MemoryUse::lds && !contains(name, "read") && !contains(name, "write") &&
                 !contains(name, "permute") && !contains(name, "swizzle"));
  o.is_store = contains(name, "_store_") || name.starts_with("ds_write");
  o.is_flat_store = name.starts_with("flat_store_");
  o.is_coherent = has_sc1;
  o.is_buffer = name.starts_with("buffer_");
  o.loads_to_lds = o.memory == MemoryUse::vector && (inst.extra & kShapeToLds) != 0;
  o.touches_no_memory = contains(name, "permute") || contains(name, "swizzle");
  o.has_two_addresses = contains(name, "read2") || contains(name, "write2");
  o.is_counter = name == "ds_append" || name == "ds_consume";
  o.is_transposing = contains(name, "_tr_b");
  o.bytes = shape_bytes(inst.extra);
  if (o.memory == MemoryUse::lds) o.lds_align = lds_alignment(name, o.bytes);
  if (o.is_store) {
    o.is_data[kData] = true;
    o.is_data[kLdsData2] = o.memory == MemoryUse::lds;
    if (o.bytes < 4) {
      const uint32_t low = (1U << o.bytes) - 1U;
      o.bytes_used[kData] = static_cast<uint8_t>((inst.extra & kShapeHigh) != 0 ? low << 2 : low);
    }
  }
}

}  // namespace

int chosen_lane(const Instruction& inst, const Wave& wave) {
  if (inst.src[1].kind != SourceKind::none) return static_cast<int>(read_scalar32(wave, inst.src[1]) & 63U);
  return wave.exec() == 0 ? 0 : std::countr_zero(wave.exec());
}

OperandUse operands_of(const Instruction& inst, bool has_sc1) {
  OperandUse o;
  o.is_known = true;
  if (inst.row == nullptr) return o;
  const std::string_view name = inst.row->name;
  const InstructionClass unit = inst.row->instruction_class;
  o.flow = flow_of(inst);
  o.ignores_exec = unit == InstructionClass::matrix || o.flow == Flow::to_lane || o.flow == Flow::from_lane;
  if (unit != InstructionClass::vector_alu && unit != InstructionClass::matrix) set_memory(inst, has_sc1, o);
  o.can_complete = o.memory != MemoryUse::none || unit == InstructionClass::wait;

  for (size_t i = 0; i < inst.src.size(); ++i) {
    const Source& source = inst.src[i];
    if (source.kind == SourceKind::vector) {
      o.read[i] = {source.reg, source.rows};
      o.reads = static_cast<uint8_t>(i + 1);
    } else if (source.kind == SourceKind::scalar) {
      const bool is_descriptor =
          (o.is_buffer && i == kDescriptor) || (i == 0 && contains(name, "s_buffer_load"));
      add_scalars(o.scalar_reads, source.reg, is_descriptor ? kDescriptorWords : source.rows);
    }
  }
  if (inst.dst != kNone) {
    if (inst.dst_scalar) {
      add_scalars(o.scalar_writes, inst.dst, inst.dst_rows);
    } else {
      o.write = {inst.dst, inst.dst_rows};
    }
  }
  if (inst.dst2 != kNone) add_scalars(o.scalar_writes, inst.dst2, 2);
  if (o.flow == Flow::swap || o.flow == Flow::swap16 || o.flow == Flow::swap32) {
    o.write2 = o.read[0];
    o.read[1] = o.write;
    o.reads = 2;
  }
  // A scaled matrix instruction takes one byte of each scale register.
  if (unit == InstructionClass::matrix && o.reads > kScaleA) {
    const auto bytes = static_cast<uint32_t>(inst.offset2);
    o.bytes_used[kScaleA] = static_cast<uint8_t>(1U << (bytes & 3U));
    o.bytes_used[kScaleB] = static_cast<uint8_t>(1U << (bytes >> 2 & 3U));
  }
  const bool part = inst.result != nullptr && inst.result->unused == ResultDecoration::Unused::preserve &&
                    inst.result->part != Part::dword;
  o.keeps_old_part = part || (o.memory != MemoryUse::none && (inst.extra & kShapeHalf) != 0);
  if (name == "s_movk_i32") o.scalar_reads.reset();  // its builder lists the destination as a source
  add_implied(name, o);
  // Always there: set up by the hardware, or nothing that a kernel can leave unwritten.
  for (uint16_t special = kFlatScratch; special < kVcc; ++special) o.scalar_reads.reset(special);
  for (uint16_t special = kTtmp0; special < kM0; ++special) o.scalar_reads.reset(special);
  for (uint16_t special = kExec; special < kScalarRegisters; ++special) o.scalar_reads.reset(special);
  o.scalar_any = o.scalar_reads | o.scalar_writes;
  return o;
}

}  // namespace mxproof::emulator
