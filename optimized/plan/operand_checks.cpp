#include "optimized/plan/operand_checks.hpp"

#include <fmt/format.h>

#include "optimized/device/check.hpp"

namespace mxproof {
namespace {

Status check_one(std::string_view route, const OperandNeed& need) {
  const Operand& operand = need.operand;
  if (operand.data == nullptr) {
    return Status::bad_input(fmt::format("route {}: {} is null; it must be {} bytes in {}", route, need.name,
                                         need.bytes, layout_name(need.layout)));
  }
  if (operand.layout != need.layout) {
    return Status::bad_input(fmt::format("route {}: {} is tagged {}, but the kernels read {}", route,
                                         need.name, layout_name(operand.layout), layout_name(need.layout)));
  }
  if (operand.bytes < need.bytes) {
    return Status::bad_input(fmt::format("route {}: {} has {} bytes, but the shape needs {}", route,
                                         need.name, operand.bytes, need.bytes));
  }
  if (reinterpret_cast<uintptr_t>(operand.data) % static_cast<uintptr_t>(need.alignment) != 0) {
    return Status::bad_input(fmt::format("route {}: {} at {} is not aligned to {} bytes", route, need.name,
                                         operand.data, need.alignment));
  }
  return {};
}

bool overlap(const OperandNeed& x, const OperandNeed& y) {
  const auto begin = [](const OperandNeed& n) { return reinterpret_cast<uintptr_t>(n.operand.data); };
  const auto end = [&](const OperandNeed& n) { return begin(n) + static_cast<uintptr_t>(n.bytes); };
  return begin(x) < end(y) && begin(y) < end(x);
}

}  // namespace

Status check_operand_needs(std::string_view route, std::span<const OperandNeed> needs) {
  for (const OperandNeed& need : needs) MXPROOF_RETURN_IF_ERROR(check_one(route, need));
  for (const OperandNeed& output : needs) {
    if (!output.written) continue;
    for (const OperandNeed& other : needs) {
      if (&other == &output || !overlap(output, other)) continue;
      return Status::bad_input(fmt::format("route {}: {} overlaps {}", route, output.name, other.name));
    }
  }
  return {};
}

}  // namespace mxproof
