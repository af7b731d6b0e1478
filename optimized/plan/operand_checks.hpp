// Checks a run's operands against what the plan reads and writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/status.hpp"
#include "optimized/operand.hpp"

namespace mxproof {

/// What a route wants of one operand.
struct OperandNeed {
  std::string_view name;
  Operand operand;
  int64_t bytes;
  int64_t alignment;
  LayoutTag layout;
  bool written;
};

/// Not null, in the right layout, large enough, aligned; and what is written overlaps nothing else.
Status check_operand_needs(std::string_view route, std::span<const OperandNeed> needs);

}  // namespace mxproof
