// The tiles that each GEMM kernel is compiled for: rows of C, columns of C, waves, slices.
#pragma once

#include "optimized/gemm/tile.hpp"
#include "optimized/gemm/tile_list.hpp"

namespace mxproof::gemm {

#if defined(MXPROOF_PLATFORM_NVIDIA)
// Few rows want many slices: there are not enough tiles to keep a multiprocessor's four schedulers busy.
using A4w4Tiles =
    TileList<Tile<16, 16, 2, 4>, Tile<16, 16, 2, 8>, Tile<16, 32, 4>, Tile<16, 32, 4, 4>, Tile<16, 64, 4>,
             Tile<32, 16, 2, 4>, Tile<32, 32, 4, 2>, Tile<32, 32, 4, 4>, Tile<32, 64, 4>, Tile<32, 64, 4, 2>,
             Tile<64, 32, 4>, Tile<64, 32, 4, 4>, Tile<64, 64, 4>, Tile<64, 64, 4, 2>, Tile<64, 64, 4, 4>,
             Tile<64, 96, 4, 2>, Tile<64, 96, 4, 4>>;
using A16w4Tiles = TileList<Tile<16, 16, 2, 4>, Tile<16, 16, 2, 8>, Tile<16, 32, 4>, Tile<16, 32, 4, 4>,
                            Tile<32, 32, 4>, Tile<32, 32, 4, 4>, Tile<64, 32, 4, 2>>;
using DirectTiles = TileList<Tile<16, 16, 2, 4>, Tile<16, 16, 2, 8>, Tile<16, 32, 4>, Tile<16, 32, 4, 2>,
                             Tile<16, 32, 4, 4>, Tile<32, 16, 2, 4>, Tile<32, 32, 4>, Tile<32, 32, 4, 2>,
                             Tile<32, 32, 4, 4>, Tile<64, 32, 4, 2>, Tile<64, 64, 4, 2>>;
using SplitkTiles =
    TileList<Tile<16, 16, 2, 4>, Tile<16, 32, 4>, Tile<16, 32, 4, 2>, Tile<16, 64, 4>, Tile<32, 32, 4, 2>,
             Tile<32, 64, 4>, Tile<64, 32, 4, 2>, Tile<64, 64, 4>, Tile<64, 64, 4, 2>>;
#else
using A4w4Tiles = TileList<Tile<16, 64, 1>, Tile<16, 128, 2>, Tile<32, 64, 1>, Tile<32, 128, 2>,
                           Tile<32, 128, 4>, Tile<64, 128, 2>, Tile<64, 128, 4>, Tile<128, 128, 4>>;
using A16w4Tiles =
    TileList<Tile<16, 64, 1>, Tile<16, 128, 2>, Tile<32, 64, 1>, Tile<32, 64, 2>, Tile<32, 128, 2>>;
using DirectTiles = TileList<Tile<16, 64, 1>, Tile<16, 128, 2>, Tile<32, 64, 1>, Tile<32, 64, 2>,
                             Tile<32, 128, 2>, Tile<64, 128, 4>>;
using SplitkTiles = TileList<Tile<16, 64, 1>, Tile<16, 128, 2>, Tile<32, 64, 1>, Tile<32, 128, 4>>;
#endif

}  // namespace mxproof::gemm
