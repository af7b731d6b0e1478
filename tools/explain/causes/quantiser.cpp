#include "tools/explain/causes/quantiser.hpp"

#include <utility>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"
#include "reference/quantize.hpp"

namespace mxproof::explain {

QuantisedOnDemand::QuantisedOnDemand(Extent blocks, BlockQuantiser quantise)
    : extent_(blocks),
      quantise_(std::move(quantise)),
      blocks_(static_cast<size_t>(blocks.size())),
      states_(static_cast<size_t>(blocks.size())) {}

const QuantisedBlock& QuantisedOnDemand::get(int64_t row, int64_t block, QuantisedBlock& spare) {
  const auto at = static_cast<size_t>(row * extent_.cols + block);
  std::atomic<uint8_t>& state = states_[at];
  if (state.load(std::memory_order_acquire) == kReady) return blocks_[at];
  spare = quantise_(row, block);
  // Whoever comes first keeps the block; others that made it meanwhile use theirs.
  uint8_t expected = kMissing;
  if (state.compare_exchange_strong(expected, kBeingMade)) {
    blocks_[at] = spare;
    state.store(kReady, std::memory_order_release);
  }
  return spare;
}

uint8_t QuantisedOnDemand::code(int64_t row, int64_t k) {
  QuantisedBlock spare;
  return get(row, k / kBlock, spare).codes[static_cast<size_t>(k % kBlock)];
}

uint8_t QuantisedOnDemand::scale(int64_t row, int64_t block) {
  QuantisedBlock spare;
  return get(row, block, spare).scale;
}

void replace_quantiser(OperandModel& operand, const std::shared_ptr<QuantisedOnDemand>& blocks) {
  operand.code = [blocks](int64_t row, int64_t k) { return blocks->code(row, k); };
  operand.scale = [blocks](int64_t row, int64_t block) { return blocks->scale(row, block); };
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
