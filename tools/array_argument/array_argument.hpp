// Arrays as arguments of commands: FILE.npy, FILE.safetensors[:TENSOR], or raw bytes as FILE@DTYPE:ROWSxCOLS.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/array/array.hpp"
#include "common/status.hpp"

namespace mxproof {

/// Reads the array; errors begin with the file's name.
Expected<Array> read_array_argument(const std::string& name);

/// Reads the bytes of an array of bytes, e8m0 scales or packed FP4 codes; other types are bad input.
Expected<std::vector<uint8_t>> read_bytes_argument(const std::string& name);

/// How arrays are written, for the help of commands.
inline constexpr const char* kArrayArgumentHelp =
    "Files are .npy, .safetensors[:TENSOR] or raw bytes as FILE@DTYPE:ROWSxCOLS (out.bin@bf16:16x2880).";

}  // namespace mxproof
