#include "optimized/checks.hpp"

#include <fmt/format.h>

namespace mxproof {
namespace {

std::string_view name_of(KernelId kernel) {
  return kernel_info(kernel).name;
}

}  // namespace

Status check_pointer(KernelId kernel, std::string_view operand, const void* pointer, int64_t alignment) {
  if (pointer == nullptr) return Status::bad_input(fmt::format("{}: {} is null", name_of(kernel), operand));
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address % static_cast<uintptr_t>(alignment) != 0) {
    return Status::refused(
        fmt::format("{}: {} at {} is not aligned to {} bytes", name_of(kernel), operand, pointer, alignment));
  }
  return {};
}

Status check_extent(KernelId kernel, std::string_view operand, Extent actual, Extent implied) {
  if (actual == implied) return {};
  return Status::bad_input(fmt::format("{}: {} is {}x{}, but the other operands make it {}x{}",
                                       name_of(kernel), operand, actual.rows, actual.cols, implied.rows,
                                       implied.cols));
}

Status check_multiple(KernelId kernel, std::string_view what, int64_t value, int64_t multiple) {
  if (value <= 0)
    return Status::bad_input(fmt::format("{}: {} = {} is not positive", name_of(kernel), what, value));
  if (value % multiple == 0) return {};
  return Status::refused(
      fmt::format("{}: {} = {} is not a multiple of {}", name_of(kernel), what, value, multiple));
}

Status check_stride(KernelId kernel, std::string_view operand, int64_t stride, int64_t columns,
                    int64_t multiple) {
  if (stride < columns) {
    return Status::bad_input(fmt::format("{}: rows of {} are {} elements long but {} apart", name_of(kernel),
                                         operand, columns, stride));
  }
  if (stride % multiple == 0) return {};
  return Status::refused(fmt::format("{}: the row stride of {}, {} elements, is not a multiple of {}",
                                     name_of(kernel), operand, stride, multiple));
}

Status check_grid(KernelId kernel, std::string_view what, int64_t groups) {
  if (groups <= kMostGroupsSideBySide) return {};
  return Status::refused(fmt::format("{}: {} would need {} work-groups side by side; {} is the most",
                                     name_of(kernel), what, groups, kMostGroupsSideBySide));
}

}  // namespace mxproof
