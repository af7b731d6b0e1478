#include "reference/exact_product.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "reference/block_terms.hpp"
#include "reference/exact_sum.hpp"
#include "reference/round.hpp"
#include "reference/row_profile.hpp"
#include "reference/simd/integer_product.hpp"

namespace mxproof::reference {
namespace {

/// An output by the long way, which is right for every input. Returns 1 for a double rounding.
int64_t exact_output(const Mxfp4Matrix& a, int64_t row, const Mxfp4Matrix& b, int64_t col, Product& product) {
  const OutputTerms terms = output_terms(a, row, b, col);
  if (terms.nan) {
    product.f32(row, col) = std::numeric_limits<float>::quiet_NaN();
    product.bf16(row, col) = round_to_bf16(std::numeric_limits<double>::quiet_NaN());
    return 0;
  }
  ExactSum sum;
  for (const BlockTerm& t : terms.blocks) sum.add(t.quarters, t.exponent - 2);
  product.f32(row, col) = sum.to_f32();
  product.bf16(row, col) = round_to_bf16(product.f32(row, col));
  return product.bf16(row, col) == sum.to_bf16() ? 0 : 1;
}

/// Outputs of columns [first, last): integers where that is proved exact, the long way elsewhere. Integer
/// sums up to 2^24 are f32 numbers, so only larger ones can round twice.
int64_t product_of_columns(const simd::IntegerProductJob& job, Product& product) {
  simd::integer_product(job, product.f32.view(), product.bf16.view());
  int64_t double_roundings = 0;
  for (int64_t row = 0; row < job.a.rows; ++row) {
    for (int64_t col = job.first_col; col < job.last_col; ++col) {
      const RowProfile& a = job.a_rows[static_cast<size_t>(row)];
      const RowProfile& b = job.b_rows[static_cast<size_t>(col)];
      const bool integers = simd::can_multiply_as_integers(a, b);
      if (integers && partial_sum_bound(a, b) <= int64_t{1} << 24) continue;
      if (integers && !(std::abs(product.f32(row, col)) > std::ldexp(0x1p24f, a.lowest + b.lowest - 2)))
        continue;
      double_roundings += exact_output(job.a, row, job.b, col, product);
    }
  }
  return double_roundings;
}

}  // namespace

Product exact_product(const Mxfp4Matrix& a, const Mxfp4Matrix& b, unsigned threads) {
  Product product;
  product.f32 = Matrix<float>(a.rows, b.rows);
  product.bf16 = Matrix<Bf16>(a.rows, b.rows);
  const std::vector<RowProfile> a_rows = row_profiles(a);
  const std::vector<RowProfile> b_rows = row_profiles(b);

  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  const int64_t workers = std::min<int64_t>(threads, b.rows);
  std::atomic<int64_t> double_roundings = 0;
  const auto work = [&](int64_t worker) {
    const simd::IntegerProductJob job{
        a, b, a_rows, b_rows, b.rows * worker / workers, b.rows * (worker + 1) / workers};
    double_roundings += product_of_columns(job, product);
  };
  std::vector<std::jthread> others;
  for (int64_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
  work(0);
  others.clear();  // joins
  product.double_roundings = double_roundings;
  return product;
}

}  // namespace mxproof::reference
