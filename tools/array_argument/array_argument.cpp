#include "tools/array_argument/array_argument.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>

#include "common/array/byte_source.hpp"
#include "common/array/file.hpp"

namespace mxproof {
namespace {

/// "ROWSxCOLS"
std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  std::vector<int64_t> shape(2);
  const size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const std::string parts[] = {std::string(text.substr(0, x)), std::string(text.substr(x + 1))};
  for (size_t i = 0; i < 2; ++i) {
    const char* end = parts[i].data() + parts[i].size();
    const auto [at, error] = std::from_chars(parts[i].data(), end, shape[i]);
    if (error != std::errc() || at != end || shape[i] <= 0) return std::nullopt;
  }
  return shape;
}

Expected<Array> read_raw(const std::string& file, const std::string& description) {
  const size_t colon = description.find(':');
  const std::string type = description.substr(0, colon);
  const std::optional<DtypeName> dtype = find_dtype(type);
  const auto shape = colon == std::string::npos
                         ? std::nullopt
                         : parse_shape(std::string_view(description).substr(colon + 1));
  if (!dtype || !shape) {
    return Status::bad_input(
        fmt::format("{}@{}: raw files are written FILE@DTYPE:ROWSxCOLS, such as out.bin@bf16:16x2880", file,
                    description));
  }
  const Expected<int64_t> bytes = array_bytes(dtype->dtype, *shape);
  if (!bytes) return Status::bad_input(fmt::format("{}: {}", file, bytes.status().message()));
  const Expected<std::shared_ptr<ByteSource>> source = open_file(file);
  if (!source) return source.status();
  if ((*source)->size() != static_cast<uint64_t>(*bytes)) {
    return Status::bad_input(
        fmt::format("{}: {} bytes, but {} takes {}", file, (*source)->size(), description, *bytes));
  }
  Array array{dtype->dtype, *shape, std::vector<std::byte>(static_cast<size_t>(*bytes))};
  if (Status status = (*source)->read(0, array.bytes); !status)
    return Status::bad_input(file + ": " + status.message());
  return array;
}

}  // namespace

Expected<Array> read_array_argument(const std::string& name) {
  const size_t at = name.rfind('@');
  // '@' may also stand in the name of a .npy or .safetensors file.
  const bool named = name.ends_with(".npy") || name.find(".safetensors", at) != std::string::npos;
  if (at != std::string::npos && !named) return read_raw(name.substr(0, at), name.substr(at + 1));
  return read_array(name);
}

Expected<std::vector<uint8_t>> read_bytes_argument(const std::string& name) {
  const Expected<Array> array = read_array_argument(name);
  if (!array) return array.status();
  const bool holds_bytes =
      array->dtype == Dtype::u8 || array->dtype == Dtype::e8m0 || array->dtype == Dtype::e2m1;
  if (!holds_bytes) {
    return Status::bad_input(fmt::format("{}: got {}, need scales or packed codes as u8, e8m0 or an FP4 type",
                                         name, describe(*array)));
  }
  if (array->bytes.empty())
    return Status::bad_input(fmt::format("{}: {} holds no element", name, describe(*array)));
  std::vector<uint8_t> bytes(array->bytes.size());
  std::memcpy(bytes.data(), array->bytes.data(), bytes.size());
  return bytes;
}

}  // namespace mxproof
