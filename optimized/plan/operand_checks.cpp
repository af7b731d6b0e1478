#include "optimized/plan/operand_checks.hpp"

#include <fmt/format.h>

#include <optional>

#include "optimized/device/check.hpp"

namespace mxproof {
namespace {

Status check_one(std::string_view route, const OperandNeed& need) {
  const Operand& operand = need.operand;
  if (operand.data == nullptr) {
    return Status::bad_input(fmt::format("route {}: {} is null; it must be {} bytes in {}", route, need.name,
                                         need.bytes(), layout_name(need.layout)));
  }
  if (operand.layout != need.layout) {
    return Status::bad_input(fmt::format("route {}: {} is tagged {}, but the kernels read {}", route,
                                         need.name, layout_name(operand.layout), layout_name(need.layout)));
  }
  if (operand.bytes < need.bytes()) {
    return Status::bad_input(fmt::format("route {}: {} has {} bytes, but the shape needs {}", route,
                                         need.name, operand.bytes, need.bytes()));
  }
  if (reinterpret_cast<uintptr_t>(operand.data) % static_cast<uintptr_t>(need.alignment) != 0) {
    return Status::bad_input(fmt::format("route {}: {} at {} is not aligned to {} bytes", route, need.name,
                                         operand.data, need.alignment));
  }
  return {};
}

uintptr_t row_begin(const OperandNeed& need, int64_t row) {
  return reinterpret_cast<uintptr_t>(need.operand.data) + static_cast<uintptr_t>(row * need.stride);
}
uintptr_t row_end(const OperandNeed& need, int64_t row) {
  return row_begin(need, row) + static_cast<uintptr_t>(need.row_bytes);
}

struct CommonRows {
  int64_t x;
  int64_t y;
};

/// A row of each that have bytes in common. Walks rows only where the operands as a whole do.
std::optional<CommonRows> common_rows(const OperandNeed& x, const OperandNeed& y) {
  if (row_end(x, x.rows - 1) <= row_begin(y, 0) || row_end(y, y.rows - 1) <= row_begin(x, 0)) return {};
  for (int64_t i = 0, j = 0; i < x.rows && j < y.rows;) {
    if (row_end(x, i) <= row_begin(y, j)) {
      ++i;
    } else if (row_end(y, j) <= row_begin(x, i)) {
      ++j;
    } else {
      return CommonRows{i, j};
    }
  }
  return {};
}

}  // namespace

Status check_operand_needs(std::string_view route, std::span<const OperandNeed> needs) {
  for (const OperandNeed& need : needs) MXPROOF_RETURN_IF_ERROR(check_one(route, need));
  for (const OperandNeed& output : needs) {
    if (!output.written) continue;
    for (const OperandNeed& other : needs) {
      if (&other == &output) continue;
      const auto common = common_rows(output, other);
      if (!common) continue;
      // Layouts other than rows count as one.
      const auto row_of = [](const OperandNeed& need, int64_t row) {
        return need.layout == LayoutTag::bf16_rows ? fmt::format(" (row {})", row) : std::string();
      };
      return Status::bad_input(fmt::format("route {}: {}{} overlaps {}{}", route, output.name,
                                           row_of(output, common->x), other.name, row_of(other, common->y)));
    }
  }
  return {};
}

}  // namespace mxproof
