// Checks of the checker, on real products: what is wrong must fail, under every policy that could be asked
// for.
#include <gtest/gtest.h>

#include "common/compare/judge.hpp"
#include "common/random/fill.hpp"
#include "reference/gemm.hpp"
#include "reference/quantize.hpp"

namespace mxproof::reference {
namespace {

constexpr uint64_t kSeed = 0x5eed0060;

class Checker : public testing::TestWithParam<const char*> {
 protected:
  Checker()
      : reference_(gemm(quantize(normal_matrix(16, 512, kSeed, TensorId::a).view()).value(),
                        quantize(normal_matrix(16, 512, kSeed, TensorId::b).view()).value())
                       .value()),
        actual_(16, 16) {
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 16; ++c) actual_(r, c) = reference_.values()(r, c);
    }
  }
  Comparison judged() const {
    return judge(parse_acceptance(GetParam()).value(), reference_, actual_.view());
  }

  GemmReference reference_;
  Matrix<Bf16> actual_;
};

TEST_P(Checker, RightPasses) {
  EXPECT_EQ(judged().verdict, Verdict::bit_equal);
}

TEST_P(Checker, TwiceFails) {
  for (Bf16& x : actual_.data) x.bits += 0x80;
  EXPECT_EQ(judged().verdict, Verdict::mismatch);
}

TEST_P(Checker, OneNanFails) {
  actual_(3, 5) = {0x7fc0};
  const Comparison c = judged();
  EXPECT_EQ(c.verdict, Verdict::mismatch);
  EXPECT_EQ(c.count(Difference::nan), 1);
}

TEST_P(Checker, OneUnwrittenFails) {
  actual_(15, 15) = kPoisonBf16;
  const Comparison c = judged();
  EXPECT_EQ(c.verdict, Verdict::mismatch);
  EXPECT_EQ(c.count(Difference::unwritten), 1);
  EXPECT_EQ(c.first->row, 15);
}

TEST_P(Checker, TransposedFails) {
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 0; c < r; ++c) std::swap(actual_(r, c), actual_(c, r));
  }
  EXPECT_EQ(judged().verdict, Verdict::mismatch);
}

TEST_P(Checker, AllZeroFails) {
  std::fill(actual_.data.begin(), actual_.data.end(), Bf16{});
  const Comparison c = judged();
  EXPECT_EQ(c.verdict, Verdict::mismatch);
  EXPECT_TRUE(c.all_zero);
}

INSTANTIATE_TEST_SUITE_P(Policies, Checker, testing::Values("bit-equal", "exact-zone", "contest", "ulp 2"),
                         [](const testing::TestParamInfo<const char*>& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' || c == ' ' ? '_' : c;
                           return name;
                         });

TEST(CheckerSigns, OneFlippedSignOfZeroFails) {
  // A row of zeros times anything: +0 everywhere.
  const GemmReference zeros = gemm(Mxfp4Matrix(2, 32), Mxfp4Matrix(2, 32)).value();
  Matrix<Bf16> actual(2, 2);
  EXPECT_EQ(judge(Acceptance::exact_zone(), zeros, actual.view()).verdict, Verdict::bit_equal);
  actual(1, 1) = {0x8000};
  for (const Acceptance& policy : {Acceptance::bit_equal(), Acceptance::exact_zone()}) {
    const Comparison c = judge(policy, zeros, actual.view());
    EXPECT_EQ(c.verdict, Verdict::mismatch);
    EXPECT_EQ(c.count(Difference::sign_of_zero), 1);
  }
}

TEST(CheckerZone, OneUlpInsideTheZoneFailsByDefault) {
  const GemmReference ones = gemm(Mxfp4Matrix(1, 32), Mxfp4Matrix(1, 32)).value();
  Matrix<Bf16> actual(1, 1, Bf16{0x0001});
  EXPECT_EQ(judge(Acceptance{}, ones, actual.view()).verdict, Verdict::mismatch);
  EXPECT_EQ(judge(Acceptance::ulp(1), ones, actual.view()).verdict, Verdict::within_bound);
}

}  // namespace
}  // namespace mxproof::reference
