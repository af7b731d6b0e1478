// The state of one wave of 64 lanes, and what is in flight for it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/isa/instruction.hpp"
#include "emulator/isa/scalar_register.hpp"
#include "emulator/machine/settings.hpp"

namespace mxproof::emulator {

struct GroupContext;
struct Wave;

inline constexpr uint64_t kAllLanes = ~uint64_t{0};
/// High words of flat addresses that mean LDS and scratch; no host address has them.
inline constexpr uint32_t kSharedAperture = 0x10000;
inline constexpr uint32_t kPrivateAperture = 0x20000;

/// A global, flat, scratch or buffer instruction between issue and completion.
struct VectorAccess {
  const Instruction* inst = nullptr;
  uint64_t exec = 0;         ///< Lanes that access memory.
  uint64_t zero = 0;         ///< Lanes that read zeros: outside a buffer descriptor's range.
  uint64_t sequence = 0;     ///< For flat: LDS waits at or after this number cover it.
  uint32_t lds_base = 0;     ///< M0 for loads to LDS.
  bool flat = false;         ///< Counted by lgkmcnt too.
  bool consecutive = false;  ///< Lane i accesses address[0] + i * size.
  alignas(64) std::array<uint64_t, kLanes> address;  ///< Host addresses, valid for every lane in exec.
  alignas(64) std::array<std::array<uint32_t, kLanes>, 4> data;  ///< Values stored, captured at issue.
  // For `zero` lanes: how many bytes are in the buffer's range after all, and where.
  std::array<uint8_t, kLanes> valid_bytes;
  std::array<uint64_t, kLanes> partial_address;
};

/// An LDS instruction between issue and completion.
struct LdsAccess {
  const Instruction* inst = nullptr;
  uint64_t exec = 0;
  bool consecutive = false;                          ///< Lane i accesses address[0] + i * size.
  alignas(64) std::array<uint32_t, kLanes> address;  ///< Byte address in LDS, instruction offset not added.
  alignas(64) std::array<std::array<uint32_t, kLanes>, 4> data;
};

/// A scalar load between issue and completion.
struct ScalarAccess {
  uint64_t address = 0;
  uint64_t valid_bytes = 0;  ///< Bytes past these read 0 (buffer loads out of range).
  uint64_t value = 0;        ///< The result itself when `words` is 0.
  uint16_t dst = 0;
  uint8_t words = 0;
};

/// First in, first out, of at most N; slots are reused from the front whenever it runs empty.
template <class Access, uint32_t N>
class InFlight {
 public:
  uint32_t size() const { return count_; }
  bool full() const { return count_ == N; }
  Access& push() {
    if (count_ == 0) head_ = 0;
    return slots_[(head_ + count_++) % N];
  }
  Access& at(uint32_t i) { return slots_[(head_ + i) % N]; }
  /// The slot stays valid until the next push.
  Access& pop() {
    Access& access = slots_[head_];
    head_ = (head_ + 1) % N;
    --count_;
    return access;
  }
  void clear() { count_ = 0; }

 private:
  std::array<Access, N> slots_;
  uint32_t head_ = 0;
  uint32_t count_ = 0;
};

enum class WaveState : uint8_t {
  running,
  indexed,  ///< Running with s_set_gpr_idx_on in force.
  barrier,  ///< Waiting at s_barrier.
  yielded,  ///< Gave up its slice.
  ended,
  faulted,
};

/// Why a wave was stopped, for those who look at more than the text.
enum class FaultKind : uint8_t { other, bounds, lds_bounds, loop };
struct Stop {
  FaultKind kind = FaultKind::other;
  int lane = -1;                      ///< -1: no lane, or not one alone.
  std::optional<uint64_t> address{};  ///< Device address, or byte offset in LDS or scratch.
  uint64_t loop_begin = 0;            ///< Of a loop: addresses of its first instruction and its last.
  uint64_t loop_end = 0;
};

/// MODE register, low bits.
inline constexpr uint32_t kModeRound32 = 0x3;    ///< f32 rounding: 0 nearest even, 1 +inf, 2 -inf, 3 zero.
inline constexpr uint32_t kModeRound64 = 0xc;    ///< The same for f16 and f64.
inline constexpr uint32_t kModeDenorm32 = 0x30;  ///< Bit 4: inputs kept, bit 5: outputs kept.
inline constexpr uint32_t kModeDenorm64 = 0xc0;  ///< The same for f16 and f64.
inline constexpr uint32_t kModeDx10Clamp = 1U << 8;  ///< clamp turns NaN into 0.
inline constexpr uint32_t kModeIeee = 1U << 9;
/// Round to nearest, keep all subnormals: what compilers set up unless told otherwise.
inline constexpr uint32_t kModePlain = kModeDenorm32 | kModeDenorm64;

struct alignas(64) Wave {
  /// Vector registers: vgpr[row * 64 + lane].
  alignas(64) std::array<uint32_t, size_t{kVectorRegisters} * kLanes> vgpr;

  alignas(64) std::array<uint32_t, kScalarRegisters> sgpr;

  // Rows that sources and results pass through when they cannot be used where they lie.
  alignas(64) std::array<std::array<uint32_t, 2 * kLanes>, 4> operand;
  alignas(64) std::array<uint32_t, 4 * kLanes> result;

  // In flight.
  InFlight<VectorAccess, 64> vector_memory;
  InFlight<LdsAccess, 16> lds;
  // Control.
  const Instruction* pc = nullptr;
  WaveState state = WaveState::ended;
  bool scc = false;
  bool plain_mode = true;  ///< Rounding and denormals as kModePlain.
  uint32_t mode = kModePlain;
  int64_t* executed =
      nullptr;         ///< By Instruction::index: how often a straight run begins, less how often it ends.
  int64_t slice = 0;   ///< Instructions until the wave yields.
  int64_t budget = 0;  ///< Instructions until it counts as a runaway.
  uint32_t run_start = 0;   ///< Index where the current straight run of instructions began.
  uint64_t write_mask = 0;  ///< Lanes that a DPP instruction may write.

  std::vector<ScalarAccess> scalar_memory;
  uint64_t lgkm_sequence = 0;  ///< Counts waits for lgkmcnt(0).
  uint32_t flat_in_flight = 0;
  std::vector<VectorAccess> flat_waiting;  ///< Flat operations that vmcnt has covered and lgkmcnt not yet.

  GroupContext* group = nullptr;
  std::byte* scratch = nullptr;  ///< 64 lanes of scratch_bytes each.
  uint32_t scratch_bytes = 0;    ///< Bytes a lane.
  uint32_t index_in_group = 0;
  uint32_t gpr_index_mode = 0;  ///< While indexed: M0[15:12] as s_set_gpr_idx_on set it.
  uint64_t last_base = 1;       ///< Last allocation hit: [last_base, last_end).
  uint64_t last_end = 0;
  Settings settings;
  std::string fault_text;  ///< What went wrong, without kernel and pc.
  const Instruction* fault_at = nullptr;
  Stop stop;
  int64_t loop_left = 0;  ///< Past the budget: instructions until the loop is taken as seen; 0 before.

  uint64_t exec() const { return scalar64(kExec); }
  void set_exec(uint64_t value) { set_scalar64(kExec, value); }
  uint64_t vcc() const { return scalar64(kVcc); }

  uint64_t scalar64(uint16_t reg) const {
    uint64_t value;
    std::memcpy(&value, &sgpr[reg], sizeof value);
    return value;
  }
  void set_scalar64(uint16_t reg, uint64_t value) { std::memcpy(&sgpr[reg], &value, sizeof value); }

  uint32_t* row(uint16_t reg) { return &vgpr[size_t{reg} * kLanes]; }
  const uint32_t* row(uint16_t reg) const { return &vgpr[size_t{reg} * kLanes]; }

  /// Stops the wave: `inst` cannot be executed because of `text`.
  void fault(const Instruction& inst, std::string text, const Stop& why = {});
};

/// The low word of a scalar source (register or constant).
inline uint32_t read_scalar32(const Wave& wave, const Source& source) {
  if (source.kind == SourceKind::constant) return source.constant[0];
  if (source.reg < kVccz) return wave.sgpr[source.reg];
  if (source.reg == kScc) return wave.scc ? 1 : 0;
  if (source.reg == kVccz) return wave.vcc() == 0 ? 1 : 0;
  return wave.exec() == 0 ? 1 : 0;
}

inline uint64_t read_scalar64(const Wave& wave, const Source& source) {
  if (source.kind == SourceKind::constant)
    return source.constant[0] | uint64_t{source.constant[kLanes]} << 32;
  if (source.reg < kVccz) return wave.scalar64(source.reg);
  return read_scalar32(wave, source);
}

}  // namespace mxproof::emulator
