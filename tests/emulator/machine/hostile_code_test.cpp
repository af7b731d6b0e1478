// Random code: what the fuzzer does for hours, for a second.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/emulator/support/hostile_code.hpp"

namespace mxproof::emulator {
namespace {

TEST(HostileCode, RandomWordsAreDecodedAndRunSafely) {
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  // Beginnings of every encoding format, so that most words are instructions.
  constexpr std::array<uint32_t, 18> kBeginnings = {
      0x02000000, 0x7e000000, 0x7c000000, 0x80000000, 0xb0000000, 0xbe800000,
      0xbf000000, 0xbf800000, 0xc0000000, 0xd0000000, 0xd3800000, 0xd3ac0000,
      0xd8000000, 0xdc000000, 0xe0000000, 0xe8000000, 0x7e0000f9, 0x020000fa};
  LoneWave wave;
  constexpr int kRuns = 20000;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<uint32_t> words(1 + random() % 8);
    for (uint32_t& word : words) {
      word = static_cast<uint32_t>(random());
      if (random() % 2 == 0) word = (word & 0x01ffffffU) | kBeginnings[random() % kBeginnings.size()];
    }
    run_hostile_code(std::as_bytes(std::span(words)), wave);
  }
  EXPECT_EQ(wave.runs(), static_cast<size_t>(kRuns));
  EXPECT_GT(wave.faults(), 1000U) << "most of it must be refused";
}

}  // namespace
}  // namespace mxproof::emulator
