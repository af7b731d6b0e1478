// Whole kernels, compiled by clang at several levels, against plain CPU arithmetic.
#include "emulator/machine/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <random>

#include "common/format/e2m1.hpp"

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;

/// 32 random bits a call.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

CodeObject load(const std::string& variant) {
  std::ifstream file(std::string(MXPROOF_KERNELS) + "/kernels_" + variant + ".co", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  auto code_object = CodeObject::load(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(code_object.ok()) << code_object.status().message();
  return std::move(*code_object);
}

/// Arguments laid out as C would.
class Arguments {
 public:
  template <class T>
  Arguments& add(T value) {
    size_t at = (bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    bytes_.resize(at + sizeof(T));
    std::memcpy(&bytes_[at], &value, sizeof(T));
    return *this;
  }
  std::span<const std::byte> padded_to(size_t size) {
    bytes_.resize(std::max(size, bytes_.size()));
    return bytes_;
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Memory that the launch may touch.
template <class T>
class Buffer {
 public:
  Buffer(GlobalMemory& memory, size_t count) : data_(count) {
    EXPECT_TRUE(memory.add(data_.data(), count * sizeof(T), "buffer").ok());
    std::memset(data_.data(), 0xa5, count * sizeof(T));
  }
  std::vector<T>& operator*() { return data_; }
  T* get() { return data_.data(); }
  T& operator[](size_t i) { return data_[i]; }

 private:
  std::vector<T> data_;
};

class Launch : public ::testing::TestWithParam<std::string> {
 protected:
  Launch() : code_object_(load(GetParam())) {}

  Expected<LaunchReport> run(const char* name, Arguments arguments, LaunchConfig config) {
    const Kernel* kernel = code_object_.find(name);
    if (kernel == nullptr) return Status::internal(std::string("no kernel ") + name);
    config.kernarg = arguments.padded_to(kernel->kernarg_bytes);
    // None of these kernels has a fault that does not stop it: the watchers are silent, at every level.
    std::vector<WatchReport> reports;
    config.watch.watchers = WatchSet::all();
    config.reports = &reports;
    auto report = launch(code_object_, *kernel, config, memory_);
    for (const WatchReport& fault : reports) {
      if (report.ok()) ADD_FAILURE() << to_text(fault);
    }
    return report;
  }

  CodeObject code_object_;
  GlobalMemory memory_;
};

INSTANTIATE_TEST_SUITE_P(Levels, Launch, ::testing::Values("o0", "o1", "o3", "preload"),
                         [](const auto& param) { return param.param; });

float code_value(const std::vector<uint32_t>& words, size_t lane_record, int element) {
  return kE2m1Values[words[lane_record * 4 + element / 8] >> (element % 8 * 4) & 0xf];
}

TEST_P(Launch, Fp4TileEqualsPlainArithmetic) {
  constexpr int kSteps = 5;
  constexpr int kGroups = 3;
  constexpr size_t kRecords = size_t{kGroups} * kSteps * 64;
  Buffer<uint32_t> a(memory_, kRecords * 4);
  Buffer<uint32_t> b(memory_, kRecords * 4);
  Buffer<uint32_t> scale_a(memory_, kRecords);
  Buffer<uint32_t> scale_b(memory_, kRecords);
  Buffer<float> d(memory_, size_t{kGroups} * 256);
  const uint32_t seed = 20250714;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (auto* words : {&*a, &*b}) {
    for (uint32_t& word : *words) word = random();
  }
  for (auto* words : {&*scale_a, &*scale_b}) {
    for (uint32_t& word : *words) word = 0x78787878U + (random() & 0x0f0f0f0fU);  // 120 .. 135
  }
  const auto report = run(
      "fp4_tile",
      Arguments().add(a.get()).add(b.get()).add(scale_a.get()).add(scale_b.get()).add(d.get()).add(kSteps),
      {.grid = {kGroups, 1, 1}, .block = {64, 1, 1}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (int group = 0; group < kGroups; ++group) {
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) {
        float expected = 0;
        for (int step = 0; step < kSteps; ++step) {
          const size_t first = (size_t(group) * kSteps + step) * 64;
          for (int block = 0; block < 4; ++block) {
            double dot = 0;
            for (int e = 0; e < 32; ++e)
              dot += code_value(*a, first + i + 16 * block, e) * code_value(*b, first + j + 16 * block, e);
            const int exponent = static_cast<int>((scale_a[first + i + 16 * block] >> 8 & 0xff) +
                                                  (scale_b[first + j + 16 * block] >> 16 & 0xff)) -
                                 254;
            expected = static_cast<float>(expected + std::ldexp(dot, exponent));
          }
        }
        EXPECT_EQ(d[(size_t(group) * 64 + j + 16 * (i / 4)) * 4 + i % 4], expected)
            << "group " << group << " row " << i << " column " << j;
      }
    }
  }
  EXPECT_EQ(report->groups, kGroups);
  EXPECT_EQ(report->waves, kGroups);
  EXPECT_EQ(report->by_class[static_cast<size_t>(InstructionClass::matrix)], kGroups * kSteps);
}

TEST_P(Launch, BlockSumThroughLds) {
  constexpr int kGroups = 7;
  Buffer<float> in(memory_, kGroups * 256);
  Buffer<float> out(memory_, kGroups);
  for (int i = 0; i < kGroups * 256; ++i) in[i] = static_cast<float>(i % 97) - 31;
  const auto report = run("block_sum", Arguments().add(in.get()).add(out.get()),
                          {.grid = {kGroups, 1, 1}, .block = {256, 1, 1}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (int group = 0; group < kGroups; ++group) {
    float expected = 0;
    for (int i = 0; i < 256; ++i) expected += in[group * 256 + i];
    EXPECT_EQ(out[group], expected) << "group " << group;
  }
  EXPECT_EQ(report->waves, kGroups * 4);
}

TEST_P(Launch, DivisionIsIeee) {
  constexpr int kCount = 64 * 500 - 17;
  Buffer<float> in(memory_, kCount);
  Buffer<float> by(memory_, kCount);
  Buffer<uint32_t> out(memory_, kCount + 17);
  const uint32_t seed = 77;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int i = 0; i < kCount; ++i) {
    in[i] = std::bit_cast<float>(random());
    by[i] = std::bit_cast<float>(random());
    if (i % 5 == 0)
      by[i] = in[i] * std::ldexp(1.0F + static_cast<float>(random() % 1024) / 1024,
                                 static_cast<int>(random() % 120) - 60);
    if (i % 7 == 0) by[i] = std::ldexp(by[i], -126);
  }
  const auto report = run("divide", Arguments().add(in.get()).add(by.get()).add(out.get()).add(kCount),
                          {.grid = {500, 1, 1}, .block = {64, 1, 1}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (int i = 0; i < kCount; ++i) {
    const float expected = in[i] / by[i];
    const float got = std::bit_cast<float>(out[i]);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got)) << in[i] << " / " << by[i];
    } else {
      EXPECT_EQ(out[i], std::bit_cast<uint32_t>(expected)) << in[i] << " / " << by[i] << " gives " << got;
    }
  }
  for (int i = kCount; i < kCount + 17; ++i)
    EXPECT_EQ(out[i], 0xa5a5a5a5U) << "a lane that is off has written";
}

TEST_P(Launch, IdsAlongThreeAxes) {
  Buffer<int> out(memory_, 2 * 2 * 6 * 15 * 2);
  const auto report = run("ids", Arguments().add(out.get()).add(15), {.grid = {3, 2, 2}, .block = {5, 3, 2}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (int z = 0; z < 4; ++z) {
    for (int y = 0; y < 6; ++y) {
      for (int x = 0; x < 15; ++x) {
        const int expected =
            x % 5 | (y % 3) << 4 | (z % 2) << 8 | (x / 5) << 12 | (y / 3) << 16 | (z / 2) << 20;
        EXPECT_EQ(out[(z * 6 + y) * 15 + x], expected) << x << "," << y << "," << z;
      }
    }
  }
}

TEST_P(Launch, LoadsOfArgumentsMayReachPastTheLast) {
  Buffer<float> out(memory_, 64);
  const auto report =
      run("fill_between", Arguments().add(out.get()).add(3).add(40).add(2.5F), {.block = {64, 1, 1}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  for (size_t i = 3; i < 40; ++i) EXPECT_EQ(out[i], 2.5F) << i;
}

TEST_P(Launch, RecursionHasAStack) {
  Buffer<int> out(memory_, 64);
  const Arguments arguments = Arguments().add(out.get());
  const auto report = run("fibonacci", arguments, {.block = {64, 1, 1}});
  ASSERT_TRUE(report.ok()) << report.status().message();
  constexpr std::array kFibonacci = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], kFibonacci[i % 12]) << i;
  const auto overflow = run("fibonacci", arguments, {.block = {64, 1, 1}, .stack_bytes = 64});
  ASSERT_FALSE(overflow.ok());
  EXPECT_THAT(overflow.status().message(), HasSubstr("scratch offset"));
}

TEST_P(Launch, RegistersBeyondTheAllocatedOnesStopTheRun) {
  Buffer<int> out(memory_, 64);
  for (const char* kernel : {"beyond_vgprs", "beyond_agprs"}) {
    const auto report = run(kernel, Arguments().add(out.get()), {.block = {64, 1, 1}});
    ASSERT_FALSE(report.ok()) << kernel;
    EXPECT_THAT(report.status().message(), HasSubstr("beyond those that the kernel's descriptor allocates"));
  }
}

TEST_P(Launch, StoreOutOfRangeStopsTheRun) {
  Buffer<float> in(memory_, 128);
  Buffer<float> by(memory_, 128);
  Buffer<float> out(memory_, 100);
  const auto report = run("divide", Arguments().add(in.get()).add(by.get()).add(out.get()).add(128),
                          {.grid = {2, 1, 1}, .block = {64, 1, 1}});
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.status().code(), StatusCode::device);
  EXPECT_THAT(report.status().message(), HasSubstr("kernel divide at pc 0x"));
  EXPECT_THAT(report.status().message(), HasSubstr("_store_dword"));
  EXPECT_THAT(report.status().message(), HasSubstr("lane 36 accesses 4 bytes"));
}

TEST_P(Launch, ARunawayLoopIsStopped) {
  Buffer<int> flag(memory_, 1);
  flag[0] = 0;
  const auto report =
      run("spin", Arguments().add(flag.get()), {.block = {64, 1, 1}, .instruction_budget = 100000});
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.status().message(), HasSubstr("instruction budget"));
}

TEST_P(Launch, ResultAndCountsDoNotDependOnThreadsOrOrder) {
  constexpr int kGroups = 40;
  Buffer<float> in(memory_, kGroups * 256);
  for (size_t i = 0; i < (*in).size(); ++i) in[i] = 1.0F / static_cast<float>(i + 1);
  std::vector<uint32_t> first;
  uint64_t first_count = 0;
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const GroupOrder order : {GroupOrder::ascending, GroupOrder::descending, GroupOrder::shuffled}) {
      Buffer<float> out(memory_, kGroups);
      const auto report = run("block_sum", Arguments().add(in.get()).add(out.get()),
                              {.grid = {kGroups, 1, 1},
                               .block = {256, 1, 1},
                               .threads = threads,
                               .order = order,
                               .order_seed = 3});
      ASSERT_TRUE(report.ok()) << report.status().message();
      std::vector<uint32_t> bits(kGroups);
      std::memcpy(bits.data(), out.get(), sizeof(float) * kGroups);
      if (first.empty()) {
        first = bits;
        first_count = report->wave_instructions;
      }
      EXPECT_EQ(bits, first) << threads << " threads";
      EXPECT_EQ(report->wave_instructions, first_count);
      ASSERT_TRUE(memory_.remove(out.get()).ok());
    }
  }
}

TEST_P(Launch, MalformedLaunchesAreRefused) {
  Buffer<float> in(memory_, 256);
  Buffer<float> out(memory_, 1);
  const Arguments arguments = Arguments().add(in.get()).add(out.get());
  const auto refused = [&](LaunchConfig config) {
    const auto report = run("block_sum", arguments, config);
    EXPECT_EQ(report.status().code(), StatusCode::bad_input);
    return report.status().message();
  };
  EXPECT_THAT(refused({.block = {0, 1, 1}}), HasSubstr("work-group of 0 x 1 x 1"));
  EXPECT_THAT(refused({.block = {1025, 1, 1}}), HasSubstr("1 to 1024"));
  EXPECT_THAT(refused({.grid = {1, 0, 1}, .block = {64, 1, 1}}), HasSubstr("has none"));
  EXPECT_THAT(refused({.block = {64, 1, 1}, .dynamic_lds = 160 * 1024}), HasSubstr("bytes of LDS"));
  const Kernel* kernel = code_object_.find("block_sum");
  const std::vector<std::byte> few(kernel->kernarg_bytes - 1);
  const auto report = launch(code_object_, *kernel, {.block = {64, 1, 1}, .kernarg = few}, memory_);
  EXPECT_THAT(report.status().message(), HasSubstr("the kernel takes"));
}

}  // namespace
}  // namespace mxproof::emulator
