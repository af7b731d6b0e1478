#include "emulator/runtime/kernarg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace mxproof::emulator {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

// As a host compiler would lay the same arguments out.
struct Args {
  char a;
  double b;
  short c;
  float* d;
  uint32_t block_count[3];
  uint16_t group_size[3];
  uint16_t remainder[3];
  uint64_t offset[3];
  uint16_t dims;
};

Kernel kernel() {
  Kernel kernel;
  kernel.name = "k";
  kernel.kernarg_bytes = sizeof(Args);
  const auto add = [&](size_t offset, size_t size, ValueKind kind) {
    KernelArg arg;
    arg.offset = static_cast<uint32_t>(offset);
    arg.size = static_cast<uint32_t>(size);
    arg.value_kind = kind;
    arg.value_kind_text = value_kind_name(kind);
    kernel.args.push_back(arg);
  };
  add(offsetof(Args, a), sizeof(Args::a), ValueKind::by_value);
  add(offsetof(Args, b), sizeof(Args::b), ValueKind::by_value);
  add(offsetof(Args, c), sizeof(Args::c), ValueKind::by_value);
  add(offsetof(Args, d), sizeof(Args::d), ValueKind::global_buffer);
  for (size_t i = 0; i < 3; ++i) {
    const auto kind = [i](ValueKind x) { return static_cast<ValueKind>(static_cast<size_t>(x) + i); };
    add(offsetof(Args, block_count) + 4 * i, 4, kind(ValueKind::hidden_block_count_x));
    add(offsetof(Args, group_size) + 2 * i, 2, kind(ValueKind::hidden_group_size_x));
    add(offsetof(Args, remainder) + 2 * i, 2, kind(ValueKind::hidden_remainder_x));
    add(offsetof(Args, offset) + 8 * i, 8, kind(ValueKind::hidden_global_offset_x));
  }
  add(offsetof(Args, dims), 2, ValueKind::hidden_grid_dims);
  return kernel;
}

const LaunchShape kShape{{70000, 3, 2}, {64, 4, 1}, 512};

void expect_hidden(const Bytes& kernarg) {
  ASSERT_EQ(kernarg.size(), sizeof(Args));
  Args args;
  std::memcpy(&args, kernarg.data(), sizeof(args));
  EXPECT_THAT(args.block_count, ::testing::ElementsAre(70000U, 3U, 2U));
  EXPECT_THAT(args.group_size, ::testing::ElementsAre(64, 4, 1));
  EXPECT_THAT(args.remainder, ::testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(args.offset, ::testing::ElementsAre(0U, 0U, 0U));
  EXPECT_EQ(args.dims, 3);
}

TEST(Kernarg, PacksPointersToArguments) {
  char a = 'x';
  double b = 2.5;
  short c = -7;
  float target = 0;
  float* d = &target;
  void* pointers[] = {&a, &b, &c, &d};
  Bytes kernarg;
  const Outcome outcome = pack_args(kernel(), pointers, kShape, &kernarg);
  ASSERT_TRUE(outcome.ok()) << outcome.message();
  Args args;
  std::memcpy(&args, kernarg.data(), sizeof(args));
  EXPECT_EQ(args.a, 'x');
  EXPECT_EQ(args.b, 2.5);
  EXPECT_EQ(args.c, -7);
  EXPECT_EQ(args.d, &target);
  EXPECT_EQ(kernarg[1], std::byte{0}) << "padding is zero";
  expect_hidden(kernarg);
}

TEST(Kernarg, PacksABuffer) {
  Args args{};
  args.b = 1.25;
  args.c = 9;
  const auto bytes = std::as_bytes(std::span(&args, 1)).first(offsetof(Args, block_count));
  Bytes kernarg;
  const Outcome outcome = pack_buffer(kernel(), bytes, kShape, &kernarg);
  ASSERT_TRUE(outcome.ok()) << outcome.message();
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), kernarg.begin()));
  expect_hidden(kernarg);
}

TEST(Kernarg, ABufferOfTheWrongSizeIsRefused) {
  const Bytes bytes(sizeof(Args) + 1);
  Bytes kernarg;
  for (const size_t size : {size_t{0}, offsetof(Args, block_count) - 1, sizeof(Args) + 1}) {
    const Outcome outcome = pack_buffer(kernel(), std::span(bytes).first(size), kShape, &kernarg);
    EXPECT_EQ(outcome.code(), hipErrorInvalidValue) << size;
    EXPECT_THAT(outcome.message(), HasSubstr("would fit"));
  }
}

TEST(Kernarg, MissingArgumentsAreNamed) {
  Bytes kernarg;
  EXPECT_THAT(pack_args(kernel(), nullptr, kShape, &kernarg).message(), HasSubstr("takes 4 arguments"));
  char a = 0;
  void* pointers[] = {&a, nullptr, &a, &a};
  EXPECT_THAT(pack_args(kernel(), pointers, kShape, &kernarg).message(), HasSubstr("argument 1 is null"));
}

TEST(Kernarg, AKindThatIsNotKnownIsRefusedByName) {
  double wide = 0;
  void* pointers[] = {&wide, &wide, &wide, &wide};
  Bytes kernarg;
  Kernel odd = kernel();
  odd.args[2].value_kind = ValueKind::unknown;
  odd.args[2].value_kind_text = "hidden_from_the_future";
  const Outcome outcome = pack_args(odd, pointers, kShape, &kernarg);
  EXPECT_EQ(outcome.code(), hipErrorNotSupported);
  EXPECT_THAT(outcome.message(), HasSubstr("hidden_from_the_future"));
  odd = kernel();
  odd.args.back().value_kind = ValueKind::hidden_private_base;
  odd.args.back().value_kind_text = "hidden_private_base";
  EXPECT_EQ(pack_args(odd, pointers, kShape, &kernarg).code(), hipErrorNotSupported);
}

}  // namespace
}  // namespace mxproof::emulator
