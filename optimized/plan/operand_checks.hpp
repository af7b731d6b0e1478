// Checks a run's operands against what the plan reads and writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/status.hpp"
#include "optimized/operand.hpp"

namespace mxproof {

/// What a route wants of one operand: `rows` stretches of `row_bytes` bytes, `stride` bytes apart.
struct OperandNeed {
  std::string_view name;
  Operand operand;
  int64_t rows;
  int64_t row_bytes;
  int64_t stride;
  int64_t alignment;
  LayoutTag layout;
  bool written;

  /// From the first byte to the last.
  int64_t bytes() const { return (rows - 1) * stride + row_bytes; }
};

/// Not null, in the right layout, large enough, aligned; and no byte that is written belongs to anything
/// else. Rows of strided operands may lie between each other's.
Status check_operand_needs(std::string_view route, std::span<const OperandNeed> needs);

}  // namespace mxproof
