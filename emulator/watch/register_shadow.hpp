// What a wave's registers hold, lane by lane: nothing yet, or a value that is still on its way.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/machine/wave.hpp"
#include "emulator/watch/operands.hpp"
#include "emulator/watch/watchers.hpp"

namespace mxproof::emulator {

/// Where a register's lanes got a value that nobody wrote: a load of unwritten bytes, or a copy.
struct Origin {
  const Instruction* load = nullptr;  ///< nullptr: a copy of `row`, which was never written.
  uint16_t row = 0;                   ///< A vector register, or with is_scalar a scalar one.
  uint64_t lanes = 0;  ///< Of the register; its other undefined lanes were never written at all.
  uint64_t address = 0;
  int lane = 0;  ///< The first of them, which loaded from `address`.
  Watcher watcher = Watcher::uninit_register;
  bool is_scalar = false;
};

/// Per byte of a register, low first: lanes. Bit i of a word belongs to lane i.
using ByteLanes = std::array<uint64_t, 4>;
inline constexpr uint32_t kAllBytes = 0xf;

class RegisterShadow {
 public:
  /// Of registers that anything is wrong with, the lanes: undefined or pending.
  uint64_t bad(uint16_t row) const { return bad_[row]; }
  /// Lanes in which any of `bytes` (a bit each) is undefined.
  uint64_t undefined(uint16_t row, uint32_t bytes = kAllBytes) const {
    uint64_t lanes = 0;
    for (size_t i = 0; i < 4; ++i) lanes |= ((bytes >> i) & 1U) != 0 ? undefined_[row][i] : 0;
    return lanes;
  }
  const ByteLanes& undefined_bytes(uint16_t row) const { return undefined_[row]; }
  uint64_t pending(uint16_t row) const { return pending_[row]; }
  const Origin& origin(uint16_t row) const { return origin_[row]; }

  uint64_t bad(const RegisterRange& range) const {
    uint64_t lanes = 0;
    for (uint16_t i = 0; i < range.count; ++i) lanes |= bad_[static_cast<size_t>(range.first + i)];
    return lanes;
  }

  /// Lanes in `lanes` become defined, apart from those in `undefined`, which come from `origin`.
  void assign(uint16_t row, uint64_t lanes, const ByteLanes& undefined, const Origin& origin) {
    uint64_t any = 0;
    for (size_t i = 0; i < 4; ++i) {
      undefined_[row][i] = (undefined_[row][i] & ~lanes) | (undefined[i] & lanes);
      any |= undefined[i] & lanes;
    }
    if (any != 0) origin_[row] = origin;
    update(row);
  }
  void define(uint16_t row, uint64_t lanes) {
    for (uint64_t& byte : undefined_[row]) byte &= ~lanes;
    update(row);
  }
  void set_pending(uint16_t row, uint64_t lanes) {
    pending_[row] = lanes;
    update(row);
  }

  /// Scalars in `set` hold what nobody wrote, as `origin` says.
  void set_undefined_scalar(const ScalarSet& set, const Origin& origin) {
    define_scalar(set, false);
    for (size_t reg = 0; reg < set.size(); ++reg) {
      if (set.test(reg)) scalar_origin_[reg] = origin;
    }
  }
  const Origin& scalar_origin(size_t reg) const { return scalar_origin_[reg]; }

  const ScalarSet& bad_scalar() const { return bad_scalar_; }
  const ScalarSet& undefined_scalar() const { return undefined_scalar_; }
  const ScalarSet& pending_scalar() const { return pending_scalar_; }
  void define_scalar(const ScalarSet& set, bool is_defined) {
    undefined_scalar_ = is_defined ? undefined_scalar_ & ~set : undefined_scalar_ | set;
    bad_scalar_ = undefined_scalar_ | pending_scalar_;
  }
  void set_pending_scalar(const ScalarSet& set) {
    pending_scalar_ = set;
    bad_scalar_ = undefined_scalar_ | pending_scalar_;
  }

  /// The start of a wave. With `has_nothing`, only v0's lanes in `v0` and the scalars in `set_up` have
  /// values.
  void begin(bool has_nothing, uint64_t v0, const ScalarSet& set_up) {
    const uint64_t lanes = has_nothing ? kAllLanes : 0;
    undefined_.fill({lanes, lanes, lanes, lanes});
    pending_.fill(0);
    origin_.fill({});
    bad_.fill(lanes);
    define(0, v0);
    undefined_scalar_ = has_nothing ? ~set_up : ScalarSet();
    pending_scalar_.reset();
    bad_scalar_ = undefined_scalar_;
    scalar_origin_.fill({});
  }

 private:
  void update(uint16_t row) { bad_[row] = undefined(row) | pending_[row]; }

  std::array<uint64_t, kVectorRegisters> bad_{};
  std::array<ByteLanes, kVectorRegisters> undefined_{};
  std::array<uint64_t, kVectorRegisters> pending_{};
  std::array<Origin, kVectorRegisters> origin_{};
  ScalarSet bad_scalar_;
  ScalarSet undefined_scalar_;
  ScalarSet pending_scalar_;
  std::array<Origin, kScalarRegisters> scalar_origin_{};
};

}  // namespace mxproof::emulator
