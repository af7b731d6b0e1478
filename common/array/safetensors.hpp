// Hugging Face's .safetensors.
//
//   header length (u64)   header: JSON, {"name": {"dtype": "BF16", "shape": [16, 512], "data_offsets": [0,
//   16384]}} data: the tensors' bytes, offsets counted from here, without holes or overlap
//
// As the format's own reader does, a file is refused when a name occurs twice, a size does not match its
// shape, or the tensors do not tile the data exactly. "__metadata__" holds texts by name. FP4 ("F4") counts
// elements in its shape.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/array/array.hpp"
#include "common/array/byte_source.hpp"

namespace mxproof {

struct TensorInfo {
  std::string name;
  std::string dtype;  ///< As the file has it; may be one that is not read here.
  std::vector<int64_t> shape;
  uint64_t begin = 0;  ///< First byte and one past the last, counted from the start of the file.
  uint64_t end = 0;
};

/// All tensors of the file, in the order of their bytes. Messages do not name the file: the caller does.
Expected<std::vector<TensorInfo>> list_safetensors(const ByteSource& source);

/// What "__metadata__" says, by name. Members that are no text, which the format forbids, are left out.
using SafetensorsMetadata = std::map<std::string, std::string>;
Expected<SafetensorsMetadata> safetensors_metadata(const ByteSource& source);

/// Reads one tensor. An empty name means the only one there is.
Expected<Array> read_safetensors(const ByteSource& source, const std::string& name);

/// The length and the padded JSON that precede the data of `tensors`, which follow in this order.
std::string safetensors_header(const std::vector<std::pair<std::string, Array>>& tensors,
                               const SafetensorsMetadata& metadata = {});

}  // namespace mxproof
