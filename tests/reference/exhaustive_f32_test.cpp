// Every non-negative f32, 2^31 of them, against the tie rule. Codes rise with the value, so between two
// neighbouring thresholds all of them must be the same; the thresholds are written down here, from the format
// alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "reference/simd/quantize_blocks.hpp"

namespace mxproof::reference {
namespace {

/// The first f32 with code 1, 2, ... 7: the midpoint itself when the tie goes up, else the next f32.
std::array<uint32_t, 7> first_with_code() {
  const std::array<float, 7> midpoints = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
  std::array<uint32_t, 7> bits;
  for (uint32_t i = 0; i < 7; ++i) {
    const bool tie_goes_up = i % 2 == 1;  // from odd code i up to even code i + 1
    bits[i] = std::bit_cast<uint32_t>(midpoints[i]) + (tie_goes_up ? 0 : 1);
  }
  return bits;
}

TEST(ExhaustiveF32, NearestEvenOnAllOfThem) {
  constexpr uint32_t kInf = 0x7f800000;
  constexpr uint32_t kChunk = 1 << 16;
  const std::array<uint32_t, 7> thresholds = first_with_code();
  std::atomic<uint32_t> next = 0;
  std::atomic<int64_t> checked = 0;
  std::atomic<int64_t> wrong = 0;
  std::atomic<uint32_t> first_wrong = UINT32_MAX;
  const auto work = [&] {
    std::vector<uint32_t> bits(kChunk);
    std::vector<float> values(kChunk);
    std::vector<uint8_t> codes(kChunk);
    for (uint32_t begin; (begin = next.fetch_add(kChunk)) <= kInf;) {
      std::iota(bits.begin(), bits.end(), begin);
      std::memcpy(values.data(), bits.data(), kChunk * sizeof(float));
      std::fill(codes.begin(), codes.end(), uint8_t{0xee});
      simd::element_codes(values.data(), kChunk, 127, TieRule::nearest_even, codes.data());
      const uint32_t end = std::min(begin + kChunk, kInf + 1);  // Inf itself saturates; beyond it are NaNs
      for (uint32_t from = begin; from < end;) {
        const auto code = static_cast<uint8_t>(std::upper_bound(thresholds.begin(), thresholds.end(), from) -
                                               thresholds.begin());
        const uint32_t to = code < 7 ? std::min(end, thresholds[code]) : end;
        const auto mismatch = std::find_if(codes.begin() + (from - begin), codes.begin() + (to - begin),
                                           [code](uint8_t c) { return c != code; });
        if (mismatch != codes.begin() + (to - begin)) {
          ++wrong;
          first_wrong =
              std::min<uint32_t>(first_wrong, begin + static_cast<uint32_t>(mismatch - codes.begin()));
        }
        checked += to - from;
        from = to;
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back(work);
  }
  EXPECT_EQ(checked, int64_t{kInf} + 1);
  EXPECT_EQ(wrong, 0) << "first wrong code at f32 bits " << first_wrong;
}

}  // namespace
}  // namespace mxproof::reference
