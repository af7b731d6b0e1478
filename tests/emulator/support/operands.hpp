// Interesting operands: corners first, then seeded random bits.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace mxproof::emulator {

inline constexpr std::array<uint32_t, 34> kCorners32 = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000,
    0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x40490fdb, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f812345, 0xff800001, 0xffffffff,
    0x7fffffff, 0x0000ffff, 0xffff0000, 0x00008000, 0x00007fff, 0x3c003c00, 0x7c007c00,
    0x4f000000, 0xcf000000, 0x4f800000, 0x3effffff, 0x3f000000, 0x33800000};
inline constexpr std::array<uint64_t, 18> kCorners64 = {0,
                                                        0x8000000000000000,
                                                        1,
                                                        0x000fffffffffffff,
                                                        0x0010000000000000,
                                                        0x3ff0000000000000,
                                                        0xbff0000000000000,
                                                        0x3ca0000000000000,
                                                        0x7fefffffffffffff,
                                                        0x7ff0000000000000,
                                                        0xfff0000000000000,
                                                        0x7ff8000000000000,
                                                        0xfff8000012345678,
                                                        0x7ff0000000000001,
                                                        0xffffffffffffffff,
                                                        0x7fffffffffffffff,
                                                        0x41dfffffffc00000,
                                                        0xc1e0000000000000};

/// Values for one source register pair of all 64 lanes, different in every round.
class Operands {
 public:
  explicit Operands(uint32_t seed) : engine_(seed) {}

  /// Half of them corners: of 32 bits, of 64 bits, small integers, or random bits.
  uint64_t next() {
    const auto random = engine_();
    switch (random % 8) {
      case 0:
      case 1:
        return pair(kCorners32[random / 8 % kCorners32.size()],
                    kCorners32[random / 1024 % kCorners32.size()]);
      case 2:
        return kCorners64[random / 8 % kCorners64.size()];
      case 3:
        return random / 8 % 70;
      case 4:
        return near_one(static_cast<uint32_t>(random >> 8));
      default:
        return random;
    }
  }

 private:
  static uint64_t pair(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }
  /// A float of ordinary size in the low word, a double's exponent of ordinary size in the high one.
  static uint64_t near_one(uint32_t bits) {
    return pair(0x3e000000U + (bits & 0x83ffffffU), 0x3fe00000U + (bits & 0x803fffffU));
  }
  std::mt19937_64 engine_;
};

}  // namespace mxproof::emulator
