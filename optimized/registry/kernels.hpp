// The list of kernels as values. See kernels.def.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/layout/layout_tag.hpp"

namespace mxproof {

enum class KernelId : uint8_t {
#define MXPROOF_KERNEL(name, reads, writes, n_multiple, k_multiple, flags) name,
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL
};

/// What a kernel does, as bits of KernelInfo::flags.
enum KernelFlags : uint8_t {
  kQuantises = 1,   ///< bf16 in, MXFP4 inside or out
  kPermutes = 2,    ///< moves bytes from one layout to another
  kMultiplies = 4,  ///< runs on the matrix cores
  kSplitsK = 8,     ///< a part of a product whose K is split
};

/// A short list of layouts.
struct LayoutList {
  std::array<LayoutTag, 4> tags{};
  size_t count = 0;
  constexpr const LayoutTag* begin() const { return tags.data(); }
  constexpr const LayoutTag* end() const { return tags.data() + count; }
};

struct KernelInfo {
  KernelId id;
  std::string_view name;
  LayoutList reads;
  LayoutList writes;
  int n_multiple;
  int k_multiple;
  unsigned flags;
};

namespace registry_detail {
using enum LayoutTag;
template <class... Tags>
constexpr LayoutList layouts(Tags... tags) {
  return {{tags...}, sizeof...(tags)};
}
inline constexpr std::array kKernels = {
#define MXPROOF_KERNEL(name, reads, writes, n_multiple, k_multiple, flags) \
  KernelInfo{KernelId::name, #name, reads, writes, n_multiple, k_multiple, flags},
#include "optimized/registry/kernels.def"
#undef MXPROOF_KERNEL
};
}  // namespace registry_detail

/// All kernels, in the order of KernelId.
inline constexpr auto& kKernels = registry_detail::kKernels;

constexpr const KernelInfo& kernel_info(KernelId id) {
  return kKernels[static_cast<size_t>(id)];
}

constexpr std::optional<KernelId> find_kernel(std::string_view name) {
  for (const KernelInfo& kernel : kKernels) {
    if (kernel.name == name) return kernel.id;
  }
  return std::nullopt;
}

}  // namespace mxproof
