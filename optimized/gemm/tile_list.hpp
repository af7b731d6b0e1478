// A list of tiles as a type, and the table of variants that it stands for.
#pragma once

#include <array>

#include "optimized/gemm/variants.hpp"

namespace mxproof::gemm {

template <class... Tiles>
struct TileList {};

/// One Variant a tile; `variant_of(tile)` names the kernel compiled for it.
template <class... Tiles, class F>
constexpr auto make_variants(TileList<Tiles...> /*tiles*/, F variant_of) {
  return std::array{variant_of(Tiles{})...};
}

}  // namespace mxproof::gemm
