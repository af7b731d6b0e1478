#include "tools/explain/causes/quantiser.hpp"

#include <memory>
#include <utility>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"
#include "reference/quantize.hpp"

namespace mxproof::explain {

void replace_quantiser(OperandModel& operand, BlockQuantiser quantise) {
  // Codes are asked for one by one; the block they share is kept until another one is asked for. A model is
  // used by one thread.
  struct Last {
    int64_t row = -1;
    int64_t block = -1;
    QuantisedBlock value;
  };
  const auto last = std::make_shared<Last>();
  const auto get = [last, quantise = std::move(quantise)](int64_t row,
                                                          int64_t block) -> const QuantisedBlock& {
    if (last->row != row || last->block != block) *last = {row, block, quantise(row, block)};
    return last->value;
  };
  operand.code = [get](int64_t row, int64_t k) {
    return get(row, k / kBlock).codes[static_cast<size_t>(k % kBlock)];
  };
  operand.scale = [get](int64_t row, int64_t block) { return get(row, block).scale; };
}

QuantisedBlock quantise_by(const QuantPolicy& policy, const float values[32]) {
  QuantisedBlock block;
  uint8_t packed[16];
  block.scale = reference::quantize_block(values, policy, packed);
  for (int64_t i = 0; i < 32; ++i) block.codes[static_cast<size_t>(i)] = e2m1_code_at(packed, i);
  return block;
}

QuantisedBlock quantise_at(uint8_t scale, TieRule tie, const float values[32]) {
  QuantisedBlock block;
  block.scale = scale;
  if (e8m0_is_nan(scale)) return block;
  for (size_t i = 0; i < 32; ++i)
    block.codes[i] = reference::element_code(values[i], e8m0_exponent(scale), tie);
  return block;
}

}  // namespace mxproof::explain
