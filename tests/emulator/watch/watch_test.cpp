// Each watcher finds its fault, at the right place, and says nothing about the mended kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/watch/watched_launch.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

constexpr size_t kBufferBytes = 16384;
constexpr uint64_t kNoAddress = ~uint64_t{0};

/// A launch of kernels.hip: kernel(out, arg), where `out` has kBufferBytes.
struct WatchRun {
  uint32_t groups = 1;
  uint32_t lanes = 64;
  int arg = 0;
  size_t written = kBufferBytes;  ///< Bytes of `out` that count as written.
  uint64_t budget = 100000;
  unsigned threads = 1;
  GroupOrder order = GroupOrder::ascending;
  WatchSet watchers = WatchSet::all();
};

struct Watched {
  std::vector<WatchReport> reports;
  Status status;
  uint64_t out = 0;  ///< Address of the buffer.
  std::string kernel;
};

Watched watch(const std::string& name, const WatchRun& run) {
  static const CodeObject code_object = load_code_object(MXPROOF_KERNELS "/watch_kernels.co");
  Watched result;
  const Kernel* kernel = code_object.find(name);
  if (kernel == nullptr) {
    ADD_FAILURE() << "no kernel " << name;
    return result;
  }
  GlobalMemory memory;
  WatchedBuffer out(memory, kBufferBytes, run.written);
  std::vector<std::byte> kernarg(std::max<size_t>(kernel->kernarg_bytes, 12));
  const uint64_t address = out.address();
  std::memcpy(kernarg.data(), &address, sizeof address);
  std::memcpy(kernarg.data() + 8, &run.arg, sizeof run.arg);
  LaunchConfig config;
  config.grid = {run.groups, 1, 1};
  config.block = {run.lanes, 1, 1};
  config.kernarg = kernarg;
  config.threads = run.threads;
  config.order = run.order;
  config.instruction_budget = run.budget;
  config.watch.watchers = run.watchers;
  config.reports = &result.reports;
  result.status = launch(code_object, *kernel, config, memory).status();
  result.out = address;
  result.kernel = name;
  return result;
}

struct Fault {
  const char* kernel;
  Watcher watcher;
  const char* instruction;  ///< Part of its text.
  uint32_t wave;
  int lane;
  /// From the buffer's start, or in LDS; kNoAddress: none is reported.
  uint64_t address;
  const char* text;  ///< Part of the report's.
  WatchRun run = {};
  bool is_global = true;         ///< What `address` counts from.
  const char* mended = nullptr;  ///< Other than NAME_mended.
  size_t reports = 1;
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.kernel;
}

WatchSet all_and(Watcher watcher) {
  WatchSet set = WatchSet::all();
  set.add(watcher);
  return set;
}

std::vector<Fault> faults() {
  const WatchRun two_waves = {.lanes = 128};
  const WatchRun two_groups = {.groups = 2};
  return {
      {"bounds",
       Watcher::bounds,
       "global_store_dword",
       0,
       60,
       kBufferBytes,
       "0 bytes past the end of the allocation of 16384 bytes",
       {.arg = kBufferBytes / 4 - 60}},
      {"lds_bounds", Watcher::lds_bounds, "ds_read_b32", 0, 60, 256, "but there are 256", {}, false},
      {"loop", Watcher::loop, "s_branch", 0, -1, kNoAddress, "it stays in pc 0x"},
      {"uninit_vgpr", Watcher::uninit_register, "v_add_u32", 0, 0, kNoAddress,
       "uses v40, which was never written"},
      {"uninit_agpr", Watcher::uninit_register, "v_add_u32", 0, 0, kNoAddress, "uses v40, a copy of a5"},
      {"uninit_sgpr", Watcher::uninit_register, "s_add_u32", 0, -1, kNoAddress, "uses s50"},
      {"uninit_by_copy", Watcher::uninit_register, "v_add_u32", 0, 0, kNoAddress, "uses v40, a copy of s50"},
      {"uninit_wide", Watcher::uninit_register, "v_add_u32", 0, 0, kNoAddress, "uses v43, a copy of v41"},
      {"uninit_lanes", Watcher::uninit_register, "v_add_u32", 0, 32, kNoAddress, "uses v40"},
      {"uninit_lds", Watcher::uninit_lds, "v_add_u32", 0, 32, 128, "loaded from LDS byte 0x80", {}, false},
      {"uninit_byte", Watcher::uninit_lds, "v_add_u32", 0, 0, 0, "loaded from LDS byte 0x0", {}, false},
      {"uninit_global",
       Watcher::uninit_global,
       "v_add_u32",
       0,
       0,
       256,
       "where nobody has written",
       {.written = 256}},
      {"uninit_scale", Watcher::uninit_lds, "v_mfma_scale", 0, 0, 0, "loaded from LDS byte 0x0", {}, false},
      {"uninit_scalar_load",
       Watcher::uninit_global,
       "global_store_dword",
       0,
       0,
       0x104,
       "which 's_load_dword",
       {.written = 0x104},
       true,
       "uninit_sgpr_mended"},
      {"wait_global", Watcher::wait, "v_add_u32", 0, 0, kNoAddress, "uses v40 before 'global_load_dword v40"},
      {"wait_overwritten",
       Watcher::wait,
       "v_mov_b32",
       0,
       0,
       kNoAddress,
       "writes v40 before 'global_load_dword v40",
       {},
       true,
       "wait_global_mended"},
      {"wait_lds", Watcher::wait, "v_add_u32", 0, 0, kNoAddress, "an s_waitcnt lgkmcnt must come between"},
      {"wait_scalar", Watcher::wait, "s_add_u32", 0, -1, kNoAddress, "uses s40 before 's_load_dword s40"},
      {"wait_direct", Watcher::wait, "ds_read_b32", 0, 0, 0, "before 'global_load_lds_dword", {}, false},
      {"lds_race", Watcher::lds_race, "flat_load_dword", 1, 0, 252,
       "an s_barrier (__syncthreads) must come between", two_waves, false, nullptr, 2},
      {"lds_race_late", Watcher::lds_race, "ds_read_b32", 0, 0, 508, "since before the last barrier",
       two_waves, false},
      {"global_race", Watcher::global_race, "global_store_dword", 0, 0, 0,
       "work-group 0 (in order of x, y, z) writes", two_groups},
      {"global_race_wide", Watcher::global_race, "global_store_dwordx4", 0, 0, 0,
       "work-group 0 (in order of x, y, z) writes", two_groups},
      {"global_race_scalar", Watcher::global_race, "s_load_dword", 0, -1, 0,
       "work-group 0 (in order of x, y, z) writes", two_groups},
      {"global_race_half", Watcher::global_race, "global_load_dwordx4", 0, 0, 0,
       "work-group 0 (in order of x, y, z) writes", two_groups},
      {"barrier_apart", Watcher::barrier, "s_barrier", 1, -1, kNoAddress, "while wave 0 waits at 's_barrier'",
       two_waves},
      {"barrier_ended",
       Watcher::early_end,
       "s_barrier",
       0,
       -1,
       kNoAddress,
       "that wave 1 will not come to",
       {.lanes = 128, .watchers = all_and(Watcher::early_end)},
       true,
       "barrier_apart_mended"},
      {"align_atomic", Watcher::alignment, "global_atomic_add", 0, 0, 2, "2 past a multiple of 4"},
      {"align_scalar", Watcher::alignment, "s_load_dword", 0, -1, 2, "2 past a multiple of 4"},
      {"align_global",
       Watcher::strict_alignment,
       "global_store_dword",
       0,
       0,
       2,
       "2 past a multiple of 4",
       {.watchers = all_and(Watcher::strict_alignment)}},
      {"align_lds",
       Watcher::strict_alignment,
       "ds_read_b64",
       0,
       1,
       4,
       "4 past a multiple of 8",
       {.watchers = all_and(Watcher::strict_alignment)},
       false},
      {"descriptor",
       Watcher::descriptor,
       "buffer_store_dword",
       0,
       32,
       128,
       "which has 128 records",
       {.watchers = all_and(Watcher::descriptor)}},
  };
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreFoundAndTheMendedKernelIsClean) {
  const Fault& fault = GetParam();
  const Watched bad = watch(fault.kernel, fault.run);
  SCOPED_TRACE(all_text(bad.reports) + bad.status.message());
  ASSERT_EQ(bad.reports.size(), fault.reports);
  const auto found = std::ranges::find_if(bad.reports, [&](const WatchReport& report) {
    return report.instruction.find(fault.instruction) != std::string::npos;
  });
  ASSERT_NE(found, bad.reports.end()) << fault.instruction;
  for (const WatchReport& report : bad.reports) EXPECT_EQ(report.watcher, fault.watcher);
  EXPECT_EQ(found->kernel, fault.kernel);
  EXPECT_GT(found->pc, 0U);
  EXPECT_EQ(found->place.wave, fault.wave);
  EXPECT_EQ(found->place.lane, fault.lane);
  if (fault.address == kNoAddress) {
    EXPECT_FALSE(found->place.address.has_value());
  } else {
    EXPECT_EQ(found->place.address, fault.address + (fault.is_global ? bad.out : 0));
  }
  EXPECT_THAT(found->text, HasSubstr(fault.text));
  EXPECT_GE(found->count, 1U);
  const bool stops = fault.watcher == Watcher::bounds || fault.watcher == Watcher::lds_bounds ||
                     fault.watcher == Watcher::loop;
  EXPECT_EQ(bad.status.ok(), !stops);

  const std::string mended = fault.mended != nullptr ? fault.mended : std::string(fault.kernel) + "_mended";
  const Watched good = watch(mended, fault.run);
  EXPECT_TRUE(good.status.ok()) << good.status.message();
  EXPECT_EQ(all_text(good.reports), "") << mended;
}

TEST_P(Faults, AreNotReportedByOtherWatchers) {
  const Fault& fault = GetParam();
  for (const WatcherInfo& info : all_watchers()) {
    WatchRun run = fault.run;
    run.watchers = {};
    run.watchers.add(info.watcher);
    const Watched result = watch(fault.kernel, run);
    EXPECT_EQ(!result.reports.empty(), info.watcher == fault.watcher)
        << info.name << ": " << all_text(result.reports);
  }
}

INSTANTIATE_TEST_SUITE_P(Watch, Faults, testing::ValuesIn(faults()),
                         [](const auto& test) { return std::string(test.param.kernel); });

TEST(Watch, EveryWatcherHasAFault) {
  WatchSet seen;
  for (const Fault& fault : faults()) seen.add(fault.watcher);
  for (const WatcherInfo& info : all_watchers()) EXPECT_TRUE(seen.has(info.watcher)) << info.name;
}

TEST(Watch, SynchronisedKernelsAreClean) {
  for (const auto& [name, run] : std::vector<std::pair<std::string, WatchRun>>{
           {"lds_atomics", {.lanes = 256}},
           {"global_bytes", {.groups = 9}},
           {"global_ticket", {.groups = 5, .arg = 5}},
           {"global_ticket", {.groups = 5, .arg = 5, .order = GroupOrder::descending}}}) {
    const Watched result = watch(name, run);
    EXPECT_TRUE(result.status.ok()) << name << ": " << result.status.message();
    EXPECT_EQ(all_text(result.reports), "") << name;
  }
}

TEST(Watch, AStoreRacesWithEveryReader) {
  const Watched result = watch("global_readers", {.groups = 3, .arg = 3});
  ASSERT_EQ(result.reports.size(), 1U) << all_text(result.reports);
  EXPECT_EQ(result.reports[0].watcher, Watcher::global_race);
  EXPECT_EQ(result.reports[0].place.group, (std::array<uint32_t, 3>{2, 0, 0}));
  EXPECT_THAT(result.reports[0].text, HasSubstr("several work-groups read"));
}

TEST(Watch, TheUnalignedModeDoesLoadsAndStores) {
  for (const char* name : {"align_global", "align_lds"})
    EXPECT_EQ(all_text(watch(name, {}).reports), "") << name;
}

TEST(Watch, HardwareLetsAWaveGoThatIsLeftAlone) {
  const Watched result = watch("barrier_ended", {.lanes = 128});
  EXPECT_TRUE(result.status.ok());
  EXPECT_EQ(all_text(result.reports), "");
}

WatchSet only(Watcher watcher) {
  WatchSet set;
  set.add(watcher);
  return set;
}

TEST(Watch, CountsCasesAndKeepsTheFirst) {
  const Watched result =
      watch("uninit_vgpr", {.groups = 7, .lanes = 128, .watchers = only(Watcher::uninit_register)});
  ASSERT_EQ(result.reports.size(), 1U) << all_text(result.reports);
  EXPECT_EQ(result.reports[0].count, 14U) << "waves";
  EXPECT_EQ(result.reports[0].place.group, (std::array<uint32_t, 3>{0, 0, 0}));
}

TEST(Watch, ThreadsDoNotChangeTheReport) {
  const std::string one = all_text(
      watch("uninit_vgpr", {.groups = 50, .threads = 1, .watchers = only(Watcher::uninit_register)}).reports);
  const std::string four = all_text(
      watch("uninit_vgpr", {.groups = 50, .threads = 4, .watchers = only(Watcher::uninit_register)}).reports);
  EXPECT_EQ(one, four);
  EXPECT_THAT(one, HasSubstr("(50 times)"));
}

TEST(Watch, TheOrderOfWorkGroupsDecidesWhichIsFirst) {
  const Watched result = watch("global_race", {.groups = 3, .order = GroupOrder::descending});
  ASSERT_EQ(result.reports.size(), 1U) << all_text(result.reports);
  EXPECT_EQ(result.reports[0].place.group, (std::array<uint32_t, 3>{1, 0, 0}));
  EXPECT_THAT(result.reports[0].text, HasSubstr("work-group 2"));
}

TEST(Watch, TextNamesEverything) {
  const Watched result = watch("align_lds", {.watchers = only(Watcher::strict_alignment)});
  ASSERT_EQ(result.reports.size(), 1U) << all_text(result.reports);
  EXPECT_THAT(
      to_text(result.reports[0]),
      testing::MatchesRegex("strict-alignment: kernel align_lds at pc 0x[0-9a-f]+ \\(\\+0x[0-9a-f]+\\) "
                            "'ds_read_b64 v\\[[0-9]+:[0-9]+\\], v[0-9]+' \\[work-group 0,0,0 wave 0 lane 1 "
                            "address 0x4\\]: accesses 8 bytes at LDS 0x4, .*"));
}

TEST(WatchSet, ParsesNames) {
  const auto two = parse_watchers("wait,descriptor");
  ASSERT_TRUE(two.ok());
  EXPECT_TRUE(two->has(Watcher::wait));
  EXPECT_TRUE(two->has(Watcher::descriptor));
  EXPECT_FALSE(two->has(Watcher::bounds));
  const auto all = parse_watchers("all,early-end");
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(all->has(Watcher::bounds));
  EXPECT_TRUE(all->has(Watcher::early_end));
  EXPECT_FALSE(all->has(Watcher::descriptor)) << "hardware defines it: only by name";
  for (const char* bad : {"", "al", "all,", "wait lds-race", "Wait"}) {
    const auto set = parse_watchers(bad);
    ASSERT_FALSE(set.ok()) << bad;
    EXPECT_THAT(set.status().message(), HasSubstr("is no watcher; there are all, bounds, "));
  }
}

}  // namespace
}  // namespace mxproof::emulator
