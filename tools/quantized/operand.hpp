// Quantised matrices from and to array files, as `quantize`, `dequantize` and `gemm` take and give them.
//
//   FILE.safetensors        tensors "codes" and "scales", as `mxproof quantize -o` writes them
//   CODES + --scales FILE   codes and scales in two arrays (.npy or FILE.safetensors:TENSOR)
//   FILE, packing ggml      one array of 17-byte blocks, u8 [rows, K/32 * 17]
//
// Each may be raw bytes too; see tools/array_argument.
//
// Codes are u8 [rows, K/2] or an FP4 type [rows, K]; scales are u8 or an e8m0 type [rows, K/32].
#pragma once

#include <string>

#include "common/array/array.hpp"
#include "common/matrix.hpp"
#include "common/packing/mxfp4_packing.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/status.hpp"

namespace mxproof {

/// Where a quantised matrix lies.
struct QuantizedSource {
  std::string file;
  std::string scales;  ///< Empty when the file holds them.
  Mxfp4Packing packing = Mxfp4Packing::low_first;
};

/// Reads a quantised matrix; errors name the file and what would be right.
Expected<Mxfp4Matrix> read_quantized(const QuantizedSource& source);

/// Writes tensors "codes" and "scales" (u8), or "blocks" for ggml, to FILE.safetensors.
Status write_quantized(const std::string& file, const Mxfp4Matrix& matrix, Mxfp4Packing packing);

/// Quantises a two-dimensional f32, f16 or bf16 array. `what` names it in errors.
Expected<Mxfp4Matrix> quantize_array(const Array& array, const QuantPolicy& policy, const std::string& what);

/// True when the array's type is one that can be quantised.
bool is_quantizable(const Array& array);

/// f32, bf16 or f16 from a name; anything else is bad input.
Expected<Dtype> parse_value_dtype(const std::string& name);

}  // namespace mxproof
