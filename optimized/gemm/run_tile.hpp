// What a GEMM kernel is put together from, `TileWork<Tile, A, B, Sink>`, in the platform's form:
// `run(params)` computes one work-group's tile, and a launch must add `kDynamicLds` bytes of LDS.
#pragma once

#include "optimized/gemm/c_sink.hpp"
#include "optimized/gemm/tile.hpp"

#if defined(MXPROOF_PLATFORM_NVIDIA)
#include "optimized/gemm/async/tile_kernel.hpp"
#elif defined(__gfx942__)
#include "optimized/gemm/a_source.hpp"
#include "optimized/gemm/by_block/tile_kernel.hpp"
#else
#include "optimized/gemm/a_source.hpp"
#include "optimized/gemm/b_source.hpp"
#include "optimized/gemm/tile_kernel.hpp"
#endif

namespace mxproof::gemm {

#if defined(MXPROOF_PLATFORM_NVIDIA)
template <class T>
using AOfMxfp4 = async::Mxfp4Source<T>;
template <class T>
using AOfBf16 = async::Bf16Source<T>;
template <class T>
using BShuffled = async::ShuffledB<T>;
template <class T>
using BRowMajor = async::RowMajorB<T>;
using async::TileWork;
#elif defined(__gfx942__)
template <class T>
using AOfMxfp4 = Mxfp4Source<T::kTileM, T::kThreads>;
template <class T>
using AOfBf16 = Bf16Source<T::kTileM, T::kThreads>;
template <class T>
using BShuffled = by_block::ShuffledB<T::kColumnTiles>;
template <class T>
using BRowMajor = by_block::RowMajorB<T::kColumnTiles>;
using by_block::TileWork;
#else
template <class T>
using AOfMxfp4 = Mxfp4Source<T::kTileM, T::kThreads>;
template <class T>
using AOfBf16 = Bf16Source<T::kTileM, T::kThreads>;
template <class T>
using BShuffled = ShuffledB<T::kColumnTiles>;
template <class T>
using BRowMajor = RowMajorB<T::kColumnTiles>;
#endif

}  // namespace mxproof::gemm
