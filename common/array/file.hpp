// Array files by name: .npy and .safetensors[:tensor]. Every error is one line that begins with the file's
// name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/array/array.hpp"
#include "common/array/safetensors.hpp"

namespace mxproof {

/// Reads FILE.npy, or FILE.safetensors:TENSOR (":TENSOR" may be left out when the file holds only one).
Expected<Array> read_array(const std::string& name);

/// Writes one array to FILE.npy or FILE.safetensors[:TENSOR] (tensor name "data" when left out).
Status write_array(const std::string& name, const Array& array);

/// Writes several tensors into one .safetensors file.
Status write_safetensors(const std::string& path, const std::vector<std::pair<std::string, Array>>& tensors,
                         const SafetensorsMetadata& metadata = {});

/// What FILE.safetensors[:TENSOR] says about itself; nothing for a .npy.
Expected<SafetensorsMetadata> read_metadata(const std::string& name);

/// True when the file `path` is a .safetensors file with a tensor of every one of these names.
bool has_tensors(const std::string& path, std::span<const std::string_view> names);

}  // namespace mxproof
