#include "emulator/watch/lds_banks.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace mxproof::emulator {
namespace {

constexpr uint32_t kMostBanks = 64;

/// Lane i is in phase `phase[i]`.
using Phases = std::array<uint8_t, kLanes>;

constexpr Phases in_order(int lanes_per_phase) {
  Phases phases{};
  for (int lane = 0; lane < kLanes; ++lane) phases[lane] = static_cast<uint8_t>(lane / lanes_per_phase);
  return phases;
}

/// From the phase of each four lanes of the lower half; the upper half does the same after it.
constexpr Phases by_fours(const std::array<uint8_t, 8>& fours, uint8_t phases_per_half) {
  Phases phases{};
  for (int lane = 0; lane < kLanes; ++lane) {
    phases[lane] = static_cast<uint8_t>(fours[lane % 32 / 4] + (lane / 32) * phases_per_half);
  }
  return phases;
}

struct Model {
  uint32_t banks;
  Phases phases;
};

constexpr Model kReadNarrow = {64, in_order(64)};
constexpr Model kRead8 = {64, in_order(32)};
constexpr Model kRead12 = {32, by_fours({0, 1, 2, 3, 1, 0, 3, 2}, 4)};
constexpr Model kRead16 = {64, by_fours({0, 1, 1, 0, 1, 0, 0, 1}, 2)};
constexpr Model kWriteNarrow = {32, in_order(32)};
constexpr Model kWrite8 = {32, in_order(16)};
constexpr Model kWriteWide = {32, in_order(8)};

const Model& model_of(const MemoryAccess& access) {
  if (access.writes) return access.bytes <= 4 ? kWriteNarrow : access.bytes == 8 ? kWrite8 : kWriteWide;
  if (access.bytes <= 4) return kReadNarrow;
  return access.bytes == 8 ? kRead8 : access.bytes == 12 ? kRead12 : kRead16;
}

/// The most different dwords that one bank is asked for.
class Banks {
 public:
  explicit Banks(uint32_t banks) : banks_(banks) { count_.fill(0); }

  void ask(uint64_t dword) {
    const auto bank = static_cast<uint32_t>(dword % banks_);
    auto& wanted = wanted_[bank];
    uint8_t& count = count_[bank];
    if (std::find(wanted.begin(), wanted.begin() + count, dword) != wanted.begin() + count) return;
    wanted[count++] = static_cast<uint32_t>(dword);
    most_ = std::max<uint32_t>(most_, count);
  }
  uint32_t most() const { return most_; }

 private:
  uint32_t banks_;
  uint32_t most_ = 0;
  std::array<uint8_t, kMostBanks> count_;
  std::array<std::array<uint32_t, 2 * kLanes>, kMostBanks>
      wanted_;  // not initialised: count_ says what is there
};

}  // namespace

LdsCycles lds_cycles(const MemoryAccess& access) {
  const Model& model = model_of(access);
  LdsCycles cycles;
  const uint32_t phases = 1U + *std::ranges::max_element(model.phases);
  // Consecutive lanes ask each bank of a phase once; b96 alone has phases that do not fit its banks so.
  if (access.consecutive && access.bytes >= 4 && access.bytes != 12) return {phases, 0};
  for (uint32_t phase = 0; phase < phases; ++phase) {
    Banks banks(model.banks);
    for_each_lane(access.lanes, [&](int lane) {
      if (model.phases[lane] != phase) return;
      const uint64_t end = access.address[lane] + access.bytes;
      for (uint64_t dword = access.address[lane] / 4; dword * 4 < end; ++dword) banks.ask(dword);
    });
    cycles.taken += banks.most();
    cycles.conflicts += banks.most() == 0 ? 0 : banks.most() - 1;
  }
  return cycles;
}

}  // namespace mxproof::emulator
