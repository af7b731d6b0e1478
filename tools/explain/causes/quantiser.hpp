// Replacing the quantiser of an operand whose values are known.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "tools/explain/model.hpp"

namespace mxproof::explain {

struct QuantisedBlock {
  std::array<uint8_t, 32> codes{};
  uint8_t scale = 0;
};

/// Quantises one block of an operand; `row` and `block` say which.
using BlockQuantiser = std::function<QuantisedBlock(int64_t row, int64_t block)>;

/// An operand's blocks by some quantiser, each made when it is first asked for and then kept: a candidate is
/// tried in hundreds of pairs, by several threads.
class QuantisedOnDemand {
 public:
  QuantisedOnDemand(Extent blocks, BlockQuantiser quantise);
  uint8_t code(int64_t row, int64_t k);
  uint8_t scale(int64_t row, int64_t block);

 private:
  /// The block; `spare` holds it when it could not be kept.
  const QuantisedBlock& get(int64_t row, int64_t block, QuantisedBlock& spare);

  enum State : uint8_t { kMissing, kBeingMade, kReady };
  Extent extent_;
  BlockQuantiser quantise_;
  std::vector<QuantisedBlock> blocks_;
  std::vector<std::atomic<uint8_t>> states_;
};

/// From now on the operand's codes and scales are these.
void replace_quantiser(OperandModel& operand, const std::shared_ptr<QuantisedOnDemand>& blocks);

/// A block by a policy of the reference's.
QuantisedBlock quantise_by(const QuantPolicy& policy, const float values[32]);

/// A block whose scale byte is given; elements by the tie rule. Byte 255 gives zero codes.
QuantisedBlock quantise_at(uint8_t scale, TieRule tie, const float values[32]);

}  // namespace mxproof::explain
