// Which registers an instruction reads and writes, worked out once an instruction.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "emulator/isa/instruction.hpp"
#include "emulator/isa/scalar_register.hpp"

namespace mxproof::emulator {

using ScalarSet = std::bitset<kScalarRegisters>;

/// Consecutive rows of the vector register file.
struct RegisterRange {
  uint16_t first = 0;
  uint8_t count = 0;
};

/// How an instruction's values travel: whether using a register that holds nothing is a fault already here.
enum class Flow : uint8_t {
  compute,    ///< Every source is used.
  wide,       ///< 64-bit arithmetic: upper dwords of sources reach the upper dword of the result alone.
  copy,       ///< The destination gets source 0 as it is.
  select,     ///< Each lane gets one of sources 0 and 1, as the mask in source 2 says.
  swap,       ///< Destination and source 0 change places.
  swap16,     ///< The same between rows of 16 lanes: v_permlane16_swap.
  swap32,     ///< The same between halves: v_permlane32_swap.
  mask,       ///< A mask of lanes meets EXEC: compilers leave the bits of lanes that are off unwritten.
  to_lane,    ///< A scalar goes into one lane: v_writelane.
  from_lane,  ///< One lane goes into a scalar: v_readlane, v_readfirstlane.
};

/// What the instruction does with memory.
enum class MemoryUse : uint8_t { none, vector, lds, scalar };

struct OperandUse {
  // What every instruction is asked for comes first: it lies together.
  bool is_known = false;
  bool ignores_exec = false;  ///< Every lane takes part: matrix instructions.
  bool can_complete = false;  ///< Waits and memory instructions: something in flight may complete.
  uint8_t reads = 0;          ///< Entries of `read`.
  /// Vector registers read, by source; those of data that is stored have `is_data`.
  std::array<RegisterRange, 5> read{};
  RegisterRange write{};
  RegisterRange write2{};  ///< Of swaps: the source, which is written too.
  ScalarSet scalar_any;    ///< Scalar registers read or written.
  ScalarSet scalar_reads;
  ScalarSet scalar_writes;
  std::array<bool, 5> is_data{};
  /// Of each source's dwords, the bytes that matter: a bit each.
  std::array<uint8_t, 5> bytes_used = {0xf, 0xf, 0xf, 0xf, 0xf};
  Flow flow = Flow::compute;
  MemoryUse memory = MemoryUse::none;
  bool keeps_old_part = false;  ///< Only part of the destination's dword is written.
  bool is_coherent = false;     ///< sc1: meant to be seen by other work-groups at once, as atomics are.
  bool is_atomic = false;
  bool is_store = false;
  bool is_flat_store = false;  ///< To which memory is known once its addresses are.
  bool is_buffer = false;
  bool loads_to_lds = false;
  bool touches_no_memory = false;  ///< Of LDS instructions: lane permutations.
  bool has_two_addresses = false;  ///< ds_read2 and ds_write2.
  bool is_counter = false;         ///< ds_append and ds_consume: one address for all lanes.
  bool is_transposing = false;     ///< ds_read_b64_tr: a lane's result comes from 16 lanes' addresses.
  uint32_t bytes = 0;              ///< A lane moves so many: one address's worth.
  uint32_t lds_align = 1;          ///< What an LDS address must be a multiple of.
};

/// The lane that v_readlane, v_readfirstlane and v_writelane are about.
int chosen_lane(const Instruction& inst, const Wave& wave);

/// `has_sc1` comes from the instruction's text, which holds what Instruction does not.
OperandUse operands_of(const Instruction& inst, bool has_sc1);

}  // namespace mxproof::emulator
