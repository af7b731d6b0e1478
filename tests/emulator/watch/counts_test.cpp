// Counts of what a launch accesses, against numbers worked out by hand.
#include <gtest/gtest.h>

#include <array>

#include "emulator/isa/rows.hpp"
#include "emulator/watch/lds_banks.hpp"
#include "emulator/watch/matrix_counts.hpp"
#include "tests/emulator/watch/watched_launch.hpp"

namespace mxproof::emulator {
namespace {

/// Cycles of an LDS access whose lane i is at address(i).
template <class Address>
LdsCycles cycles(uint32_t bytes, bool is_write, Address address, uint64_t lanes = kAllLanes) {
  std::array<uint64_t, kLanes> addresses{};
  bool consecutive = lanes == kAllLanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = static_cast<uint64_t>(address(lane));
    consecutive &= addresses[lane] == addresses[0] + uint64_t{bytes} * lane;
  }
  MemoryAccess access;
  access.bytes = bytes;
  access.lanes = lanes;
  access.address = addresses.data();
  access.reads = !is_write;
  access.writes = is_write;
  access.consecutive = consecutive;
  const LdsCycles result = lds_cycles(access);
  access.consecutive = false;  // the short cut for consecutive lanes says the same
  EXPECT_EQ(lds_cycles(access).taken, result.taken);
  EXPECT_EQ(lds_cycles(access).conflicts, result.conflicts);
  return result;
}

void expect_cycles(const LdsCycles& cycles, uint32_t taken, uint32_t conflicts) {
  EXPECT_EQ(cycles.taken, taken);
  EXPECT_EQ(cycles.conflicts, conflicts);
}

TEST(LdsBanks, ConsecutiveLanesHaveNoConflicts) {
  const auto at = [](int bytes) { return [bytes](int lane) { return lane * bytes; }; };
  expect_cycles(cycles(4, false, at(4)), 1, 0);
  expect_cycles(cycles(8, false, at(8)), 2, 0);
  expect_cycles(cycles(16, false, at(16)), 4, 0);
  expect_cycles(cycles(4, true, at(4)), 2, 0);
  expect_cycles(cycles(8, true, at(8)), 4, 0);
  expect_cycles(cycles(16, true, at(16)), 8, 0);
}

TEST(LdsBanks, LanesAtOneAddressShareIt) {
  const auto same = [](int) { return 64; };
  expect_cycles(cycles(4, false, same), 1, 0);
  expect_cycles(cycles(16, false, same), 4, 0);
  expect_cycles(cycles(1, false, [](int lane) { return lane; }), 1, 0);  // bytes of 16 dwords
}

TEST(LdsBanks, AStrideOfAllBanksIsTheWorst) {
  const auto row = [](int lane) { return lane * 256; };
  expect_cycles(cycles(4, false, row), 64, 63);
  expect_cycles(cycles(8, false, row), 64, 62);
  expect_cycles(cycles(16, false, row), 64, 60);
  expect_cycles(cycles(4, true, row), 64, 62);
  expect_cycles(cycles(4, false, row, 0xf), 4, 3);  // four lanes
  expect_cycles(cycles(4, false, row, 0), 0, 0);
}

TEST(LdsBanks, WideReadsGoInPhasesThatSkipLanes) {
  // With 32 bytes from lane to lane, lanes 0 and 8 want the same banks: in the phases of read b128, lanes
  // 0-3 meet 24-27 and lanes 12-15 meet 20-23.
  expect_cycles(cycles(16, false, [](int lane) { return lane * 32; }), 8, 4);
  // Lanes 0-3, 12-15, 20-27 are one phase: putting those in a row of 64 banks and the others anywhere in
  // theirs is free of conflicts.
  const auto packed = [](int lane) {
    constexpr std::array<int, 16> kFirst = {0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27};
    for (int i = 0; i < 16; ++i) {
      if (kFirst[i] == lane % 32) return lane / 32 * 512 + i * 16;
    }
    constexpr std::array<int, 16> kSecond = {4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 28, 29, 30, 31};
    for (int i = 0; i < 16; ++i) {
      if (kSecond[i] == lane % 32) return lane / 32 * 512 + 256 + i * 16;
    }
    return -1;
  };
  expect_cycles(cycles(16, false, packed), 4, 0);
}

TEST(Counts, OfAKernelAreThoseByHand) {
  const CodeObject code_object = load_code_object(MXPROOF_KERNELS "/watch_kernels.co");
  const Kernel* kernel = code_object.find("counts");
  ASSERT_NE(kernel, nullptr);
  GlobalMemory memory;
  WatchedBuffer out(memory, 16384, 16384);
  std::vector<std::byte> kernarg(std::max<size_t>(kernel->kernarg_bytes, 12));
  const uint64_t address = out.address();
  std::memcpy(kernarg.data(), &address, sizeof address);
  LaunchConfig config;
  config.block = {64, 1, 1};
  config.kernarg = kernarg;
  config.watch.counts = true;
  const auto report = launch(code_object, *kernel, config, memory);
  ASSERT_TRUE(report.ok()) << report.status().message();
  const GlobalCounts& global = report->accesses.global;
  const uint64_t first = address % kSectorBytes;  // the buffer may start within a sector
  EXPECT_EQ(global.load_bytes, 64U * 16 + 64 * 4 + 64 * 4);
  EXPECT_EQ(global.store_bytes, 64U * 4);
  const uint64_t wide = (first + 1024 + 63) / 64;
  const uint64_t close = (first + 63 * 8 + 4 + 63) / 64;  // several lanes a sector
  EXPECT_EQ(global.load_sectors, wide + 64 + close);
  // The loads far apart take every second sector, of which eight (or so) have been loaded, and the close ones
  // no other.
  const uint64_t both = (wide + 1) / 2;
  EXPECT_EQ(global.distinct_load_sectors, wide + 64 - both);
  EXPECT_EQ(global.store_sectors, (first + 256 + 63) / 64);
  EXPECT_EQ(global.distinct_store_sectors, global.store_sectors);
  EXPECT_EQ(global.scalar_load_bytes, 8U) << "the pointer, from the arguments";
  const LdsCounts& lds = report->accesses.lds;
  EXPECT_EQ(lds.accesses, 2U);
  EXPECT_EQ(lds.read_bytes, 256U);
  EXPECT_EQ(lds.write_bytes, 256U);
  EXPECT_EQ(lds.cycles, 64U + 64U);
  EXPECT_EQ(lds.conflict_cycles, 62U + 63U);
  EXPECT_DOUBLE_EQ(
      report->modelled.memory_us,
      static_cast<double>(global.distinct_load_sectors + global.distinct_store_sectors) * 64 / 8e6);
  EXPECT_DOUBLE_EQ(report->modelled.lds_us, 128.0 / 2400);
  EXPECT_DOUBLE_EQ(report->modelled.us(), 128.0 / 2400);
}

TEST(Counts, MatrixInstructionsHaveShapeFormatAndCycles) {
  struct {
    const char* mnemonic;
    uint32_t extra;
    const char* name;
    uint64_t flop;
    double cycles;
  } const cases[] = {
      {"v_mfma_scale_f32_16x16x128_f8f6f4", 4 | 4 << 3, "16x16x128 fp4 x fp4", 65536, 16},
      {"v_mfma_scale_f32_16x16x128_f8f6f4", 0 | 4 << 3, "16x16x128 fp8 x fp4", 65536, 32},
      {"v_mfma_scale_f32_32x32x64_f8f6f4", 4 | 2 << 3, "32x32x64 fp4 x fp6", 131072, 32},
      {"v_mfma_f32_16x16x32_bf16", 0, "16x16x32 bf16 x bf16", 16384, 16},
      {"v_mfma_f32_16x16x32_bf8_fp8", 0, "16x16x32 bf8 x fp8", 16384, 8},
      {"v_mfma_f32_4x4x4_16b_f16", 0, "16 x 4x4x4 f16 x f16", 2048, 2},
      {"v_mfma_i32_32x32x16_i8", 0, "32x32x16 i8 x i8", 32768, 16},
      {"v_mfma_f64_16x16x4_f64", 0, "16x16x4 f64 x f64", 2048, 64},
  };
  for (const auto& c : cases) {
    Instruction inst;
    inst.row = find_row(c.mnemonic);
    ASSERT_NE(inst.row, nullptr) << c.mnemonic;
    inst.extra = c.extra;
    const MatrixKind kind = matrix_kind(inst);
    EXPECT_EQ(kind.name, c.name);
    EXPECT_EQ(kind.flop, c.flop) << c.name;
    EXPECT_EQ(kind.cycles, c.cycles) << c.name;
  }
}

}  // namespace
}  // namespace mxproof::emulator
