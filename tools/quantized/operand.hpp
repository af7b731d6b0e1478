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

#include <optional>
#include <string>
#include <string_view>

#include "common/array/array.hpp"
#include "common/matrix.hpp"
#include "common/packing/mxfp4_packing.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/status.hpp"

namespace mxproof {

/// Where a quantised matrix lies.
struct QuantizedSource {
  std::string file;
  std::string scales;                        ///< Empty when the file holds them.
  std::optional<Mxfp4Packing> packing = {};  ///< Without it: what the file says, or low-first.
};

/// How the codes in a file lie: as a file that `write_quantized` wrote says, else as `given`, else low-first.
/// A file that says otherwise than `given` is bad input.
Expected<Mxfp4Packing> packing_of(const std::string& file, std::optional<Mxfp4Packing> given);

/// --packing as it was given; nothing when it was not.
Expected<std::optional<Mxfp4Packing>> parse_packing_flag(const std::string& text);

/// Reads a quantised matrix; errors name the file and what would be right.
Expected<Mxfp4Matrix> read_quantized(const QuantizedSource& source);

/// An operand: numbers, which are quantised, or a quantised matrix.
struct QuantizedOperand {
  std::optional<Array> values;  ///< The numbers.
  Mxfp4Matrix quantised;
};

/// Reads an operand of either kind. `scales_flag` names the flag that would say where its scales are.
Expected<QuantizedOperand> read_operand(const QuantizedSource& source, const QuantPolicy& policy,
                                        std::string_view scales_flag);

/// Writes tensors "codes" and "scales" (u8), or "blocks" for ggml, to FILE.safetensors, with packing and
/// policy as metadata.
Status write_quantized(const std::string& file, const Mxfp4Matrix& matrix, Mxfp4Packing packing,
                       const QuantPolicy& policy);

/// Quantises a two-dimensional f32, f16 or bf16 array. `what` names it in errors.
Expected<Mxfp4Matrix> quantize_array(const Array& array, const QuantPolicy& policy, const std::string& what);

/// True when the array's type is one that can be quantised.
bool is_quantizable(const Array& array);

/// f32, bf16 or f16 from a name; anything else is bad input.
Expected<Dtype> parse_value_dtype(const std::string& name);

}  // namespace mxproof
