// Replacing the quantiser of an operand whose values are known.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "tools/explain/model.hpp"

namespace mxproof::explain {

struct QuantisedBlock {
  std::array<uint8_t, 32> codes{};
  uint8_t scale = 0;
};

/// Quantises one block of an operand; `row` and `block` say which.
using BlockQuantiser = std::function<QuantisedBlock(int64_t row, int64_t block)>;

/// From now on the operand's codes and scales come from `quantise`.
void replace_quantiser(OperandModel& operand, BlockQuantiser quantise);

/// A block by a policy of the reference's.
QuantisedBlock quantise_by(const QuantPolicy& policy, const float values[32]);

/// A block whose scale byte is given; elements by the tie rule. Byte 255 gives zero codes.
QuantisedBlock quantise_at(uint8_t scale, TieRule tie, const float values[32]);

}  // namespace mxproof::explain
