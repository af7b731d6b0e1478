// Checks of the checker: what must fail does fail.
#include "common/compare/judge.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace mxproof {
namespace {

/// Expectation with everything settable.
class FakeExpectation final : public OutputExpectation {
 public:
  explicit FakeExpectation(Matrix<Bf16> values) : values_(std::move(values)) {}
  MatrixView<const Bf16> values() const override { return values_.view(); }
  bool in_exact_zone(int64_t, int64_t) const override { return in_zone; }
  double exact_zone_share() const override { return in_zone ? 1.0 : 0.0; }
  std::optional<Bf16Interval> derived_bound(int64_t, int64_t) const override { return bound; }
  std::optional<std::string_view> matching_model(int64_t, int64_t, Bf16 actual) const override {
    if (model_value && *model_value == actual) return "fused/16x16x128";
    return std::nullopt;
  }

  bool in_zone = true;
  std::optional<Bf16Interval> bound;
  std::optional<Bf16> model_value;

 private:
  Matrix<Bf16> values_;
};

constexpr Bf16 kOne{0x3f80};
constexpr Bf16 kTwo{0x4000};
constexpr Bf16 kInf{0x7f80};
constexpr Bf16 kNan{0x7fc0};
constexpr Bf16 kZero{0x0000};
constexpr Bf16 kMinusZero{0x8000};

/// 3 x 4 distinct values 1, 1 + 2^-7, ...
Matrix<Bf16> ramp() {
  Matrix<Bf16> m(3, 4);
  for (size_t i = 0; i < m.data.size(); ++i) m.data[i] = {static_cast<uint16_t>(0x3f80 + i)};
  return m;
}

std::vector<Acceptance> every_policy() {
  return {Acceptance::bit_equal(), Acceptance::exact_zone(), Acceptance::contest(), Acceptance::ulp(1000)};
}

TEST(Judge, EqualBitsPass) {
  for (const Acceptance& policy : every_policy()) {
    const Comparison c = judge(policy, FakeExpectation(ramp()), ramp().view());
    EXPECT_EQ(c.verdict, Verdict::bit_equal) << policy.name();
    EXPECT_EQ(c.outputs, 12);
    EXPECT_EQ(c.bit_equal, 12);
    EXPECT_FALSE(c.first.has_value());
  }
}

TEST(Judge, ANanNeverPasses) {
  for (const Acceptance& policy : every_policy()) {
    Matrix<Bf16> actual = ramp();
    actual(1, 2) = kNan;
    FakeExpectation expected(ramp());
    expected.in_zone = false;
    expected.bound = Bf16Interval{{0xff80}, {0x7f80}};
    const Comparison c = judge(policy, expected, std::as_const(actual).view());
    EXPECT_EQ(c.verdict, Verdict::mismatch) << policy.name();
    EXPECT_EQ(c.count(Difference::nan), 1);
    EXPECT_EQ(c.mismatches, 1);
    EXPECT_EQ(c.first->row, 1);
    EXPECT_EQ(c.first->col, 2);
  }
}

TEST(Judge, ANumberWhereNanIsExpectedFailsAndNanForNanPasses) {
  Matrix<Bf16> expected = ramp();
  expected(0, 0) = kNan;
  EXPECT_EQ(judge(Acceptance::contest(), FakeExpectation(expected), ramp().view()).verdict,
            Verdict::mismatch);
  Matrix<Bf16> actual = ramp();
  actual(0, 0) = {0xffff};
  EXPECT_EQ(judge(Acceptance::bit_equal(), FakeExpectation(expected), std::as_const(actual).view()).verdict,
            Verdict::bit_equal);
}

TEST(Judge, UnwrittenOutputsFailEvenWhereNanIsExpected) {
  for (const Acceptance& policy : every_policy()) {
    Matrix<Bf16> expected = ramp();
    expected(2, 3) = kNan;
    Matrix<Bf16> actual = expected;
    actual(2, 3) = kPoisonBf16;
    const Comparison c = judge(policy, FakeExpectation(expected), std::as_const(actual).view());
    EXPECT_EQ(c.verdict, Verdict::mismatch) << policy.name();
    EXPECT_EQ(c.count(Difference::unwritten), 1);
  }
}

TEST(Judge, OneFlippedSignOfZeroFails) {
  Matrix<Bf16> expected(2, 2, kZero);
  Matrix<Bf16> actual(2, 2, kZero);
  actual(1, 0) = kMinusZero;
  for (const bool in_zone : {true, false}) {
    FakeExpectation e(expected);
    e.in_zone = in_zone;
    e.bound = Bf16Interval{kMinusZero, kOne};
    for (const Acceptance& policy : {Acceptance::bit_equal(), Acceptance::exact_zone()}) {
      const Comparison c = judge(policy, e, std::as_const(actual).view());
      EXPECT_EQ(c.verdict, Verdict::mismatch) << policy.name();
      EXPECT_EQ(c.count(Difference::sign_of_zero), 1);
    }
  }
}

TEST(Judge, ScaledByTwoFails) {
  Matrix<Bf16> doubled = ramp();
  for (Bf16& x : doubled.data) x.bits += 0x80;
  for (const Acceptance& policy :
       {Acceptance::bit_equal(), Acceptance::exact_zone(), Acceptance::contest(), Acceptance::ulp(127)}) {
    const Comparison c = judge(policy, FakeExpectation(ramp()), std::as_const(doubled).view());
    EXPECT_EQ(c.verdict, Verdict::mismatch) << policy.name();
    EXPECT_EQ(c.mismatches, 12);
    EXPECT_EQ(c.max_ulp, 128);
  }
}

TEST(Judge, TransposedOutputFails) {
  Matrix<Bf16> square(3, 3);
  for (size_t i = 0; i < 9; ++i) square.data[i] = {static_cast<uint16_t>(0x3f80 + 16 * i)};
  Matrix<Bf16> transposed(3, 3);
  for (int64_t r = 0; r < 3; ++r) {
    for (int64_t c = 0; c < 3; ++c) transposed(c, r) = square(r, c);
  }
  EXPECT_EQ(
      judge(Acceptance::exact_zone(), FakeExpectation(square), std::as_const(transposed).view()).mismatches,
      6);
  // A 3 x 4 result is no 4 x 3 one, and the verdict says so.
  const Comparison c = judge(Acceptance::exact_zone(), FakeExpectation(ramp()), Matrix<Bf16>(4, 3).view());
  EXPECT_EQ(c.verdict, Verdict::error);
  EXPECT_NE(c.message.find("4x3"), std::string::npos);
}

TEST(Judge, AllZeroIsSeen) {
  const Comparison c = judge(Acceptance::ulp(1 << 20), FakeExpectation(ramp()), Matrix<Bf16>(3, 4).view());
  EXPECT_TRUE(c.all_zero);
  EXPECT_FALSE(judge(Acceptance::bit_equal(), FakeExpectation(Matrix<Bf16>(3, 4)), Matrix<Bf16>(3, 4).view())
                   .all_zero);
}

TEST(Judge, NothingComparedIsAnError) {
  const Comparison c = judge(Acceptance::bit_equal(), FakeExpectation(Matrix<Bf16>()), Matrix<Bf16>().view());
  EXPECT_EQ(c.verdict, Verdict::error);
  EXPECT_FALSE(passed(c.verdict));
}

TEST(Judge, OutsideTheZoneModelsAndBoundsPass) {
  FakeExpectation e(Matrix<Bf16>(1, 2, kOne));
  e.in_zone = false;
  e.bound = Bf16Interval{{0x3f7f}, {0x3f81}};
  e.model_value = kTwo;
  Matrix<Bf16> actual(1, 2);
  actual(0, 0) = {0x3f81};
  actual(0, 1) = kTwo;
  const Comparison c = judge(Acceptance::exact_zone(), e, std::as_const(actual).view());
  EXPECT_EQ(c.verdict, Verdict::within_bound);
  EXPECT_EQ(c.accepted, 2);
  EXPECT_EQ(c.first->accepted_by, "derived bound");
  EXPECT_EQ(judge(Acceptance::bit_equal(), e, std::as_const(actual).view()).mismatches, 2);

  actual(0, 0) = {0x3f82};
  EXPECT_EQ(judge(Acceptance::exact_zone(), e, std::as_const(actual).view()).mismatches, 1);
  actual(0, 0) = {0x3f81};
  e.in_zone = true;  // inside, nothing but the bits counts
  EXPECT_EQ(judge(Acceptance::exact_zone(), e, std::as_const(actual).view()).mismatches, 2);
}

TEST(Judge, ContestAndUlpHaveTheirLimits) {
  const FakeExpectation e(Matrix<Bf16>(1, 1, kOne));
  const auto mismatches = [&](Acceptance policy, Bf16 actual) {
    const Matrix<Bf16> m(1, 1, actual);
    return judge(policy, e, m.view()).mismatches;
  };
  EXPECT_EQ(mismatches(Acceptance::contest(), {0x3f82}), 0);  // 1.015625: 0.0156 <= 0.02
  EXPECT_EQ(mismatches(Acceptance::contest(), {0x3f83}), 1);  // 1.0234
  EXPECT_EQ(mismatches(Acceptance::contest(), kInf), 1);
  EXPECT_EQ(mismatches(Acceptance::ulp(2), {0x3f82}), 0);
  EXPECT_EQ(mismatches(Acceptance::ulp(2), {0x3f83}), 1);
  EXPECT_EQ(mismatches(Acceptance::ulp(1 << 20), kInf), 1);
}

TEST(Judge, ThePoisonIsASignallingNan) {
  EXPECT_TRUE(kPoisonBf16.is_nan());
  EXPECT_EQ(kPoisonBf16.bits & 0x0040, 0);
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(kPoisonF32Bits)));
}

TEST(UlpDistance, CountsStepsOnTheLine) {
  EXPECT_EQ(ulp_distance(kOne, {0x3f81}), 1);
  EXPECT_EQ(ulp_distance({0x8001}, {0x0001}), 2);
  EXPECT_EQ(ulp_distance(kZero, kMinusZero), 0);
}

}  // namespace
}  // namespace mxproof
