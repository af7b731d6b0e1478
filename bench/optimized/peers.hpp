// What a user would call instead on the same device: the vendor's bf16 GEMM. It multiplies A with a B that
// has been dequantised to bf16 beforehand: no quantisation, four times the bytes of B.
#pragma once

#include <span>
#include <string_view>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/work.hpp"

namespace mxproof::bench {

struct Peer {
  std::string_view name;
  Expected<std::unique_ptr<Work>> (*make)(std::shared_ptr<const Operands>);
  int64_t (*bytes)(const GemmShape&);
};

/// The peers that this build found: cublaslt_bf16 with CUDA, hipblaslt_bf16 with ROCm; none otherwise.
std::span<const Peer> peers();

}  // namespace mxproof::bench
