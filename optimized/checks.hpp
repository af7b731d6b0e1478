// Checks that launchers share. Each is ok, or a refusal that names the kernel, the operand and what would be
// right.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/layout/extent.hpp"
#include "common/status.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof {

/// Not null, and a multiple of `alignment` bytes.
Status check_pointer(KernelId kernel, std::string_view operand, const void* pointer, int64_t alignment);

/// `actual` is the extent that the other operands imply.
Status check_extent(KernelId kernel, std::string_view operand, Extent actual, Extent implied);

/// `value` is positive and a multiple of `multiple`.
Status check_multiple(KernelId kernel, std::string_view what, int64_t value, int64_t multiple);

/// Rows `stride` elements apart do not overlap, and every row starts on a multiple of `multiple` elements.
Status check_stride(KernelId kernel, std::string_view operand, int64_t stride, int64_t columns,
                    int64_t multiple);

/// Devices take no more work-groups along y or z.
inline constexpr int64_t kMostGroupsSideBySide = 65535;

/// A grid of `groups` work-groups along y or z.
Status check_grid(KernelId kernel, std::string_view what, int64_t groups);

/// The first error of several checks.
inline Status first_error(std::initializer_list<Status> checks) {
  for (const Status& check : checks) {
    if (!check.ok()) return check;
  }
  return {};
}

}  // namespace mxproof
