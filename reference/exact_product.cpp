#include "reference/exact_product.hpp"

#include <limits>

#include "reference/block_terms.hpp"
#include "reference/exact_sum.hpp"
#include "reference/round.hpp"

namespace mxproof::reference {

Product exact_product(const Mxfp4Matrix& a, const Mxfp4Matrix& b, unsigned /*threads*/) {
  Product product;
  product.f32 = Matrix<float>(a.rows, b.rows);
  product.bf16 = Matrix<Bf16>(a.rows, b.rows);
  for (int64_t r = 0; r < a.rows; ++r) {
    for (int64_t c = 0; c < b.rows; ++c) {
      const OutputTerms terms = output_terms(a, r, b, c);
      if (terms.nan) {
        product.f32(r, c) = std::numeric_limits<float>::quiet_NaN();
        product.bf16(r, c) = round_to_bf16(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      ExactSum sum;
      for (const BlockTerm& t : terms.blocks) sum.add(t.quarters, t.exponent - 2);
      product.f32(r, c) = sum.to_f32();
      product.bf16(r, c) = round_to_bf16(product.f32(r, c));
      product.double_roundings += product.bf16(r, c) == sum.to_bf16() ? 0 : 1;
    }
  }
  return product;
}

}  // namespace mxproof::reference
