#include "common/array/safetensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>
#include <set>

namespace mxproof {
namespace {

using nlohmann::json;

constexpr uint64_t kLengthBytes = 8;
constexpr uint64_t kMaxHeader = 100'000'000;  // the limit of the format's own reader
constexpr const char* kMetadata = "__metadata__";
constexpr int kMaxDepth = 4;  // object, tensor, list, and one to spare

// Parses JSON without exceptions; refuses duplicate names (nlohmann would keep the last) and deep nesting.
Expected<json> parse_header(const std::string& text) {
  std::vector<std::set<std::string>> names;
  std::string error;
  const auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > kMaxDepth) error = "JSON nested too deeply";
    if (event == json::parse_event_t::object_start) names.emplace_back();
    if (event == json::parse_event_t::object_end && !names.empty()) names.pop_back();
    if (event == json::parse_event_t::key && !names.empty()) {
      const auto& name = value.get_ref<const std::string&>();
      if (!names.back().insert(name).second) error = fmt::format("'{}' occurs twice", name);
    }
    return true;
  };
  json header = json::parse(text, watch, /*allow_exceptions=*/false);
  if (!error.empty()) return Status::bad_input("safetensors header: " + error);
  if (header.is_discarded()) return Status::bad_input("safetensors header: not JSON");
  if (!header.is_object()) return Status::bad_input("safetensors header: not a JSON object");
  return header;
}

// A JSON integer in 0..2^63-1.
bool as_count(const json& value, int64_t& count) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > uint64_t{INT64_MAX}) return false;
  count = static_cast<int64_t>(value.get<uint64_t>());
  return true;
}

Expected<TensorInfo> tensor_info(const std::string& name, const json& entry, uint64_t data_offset,
                                 uint64_t data_size) {
  const auto bad = [&](const std::string& what) {
    return Status::bad_input(fmt::format("safetensors tensor '{}': {}", name, what));
  };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets"))
    return bad("needs dtype, shape and data_offsets");
  if (!entry["dtype"].is_string()) return bad("dtype is not a string");
  if (!entry["shape"].is_array() || entry["shape"].size() > kMaxDimensions)
    return bad(fmt::format("shape is not a list of at most {} dimensions", kMaxDimensions));
  TensorInfo info{name, entry["dtype"].get<std::string>(), {}, 0, 0};
  for (const json& dimension : entry["shape"]) {
    int64_t extent = 0;
    if (!as_count(dimension, extent)) return bad("a dimension is not a non-negative integer");
    info.shape.push_back(extent);
  }
  const json& offsets = entry["data_offsets"];
  int64_t begin = 0;
  int64_t end = 0;
  if (!offsets.is_array() || offsets.size() != 2 || !as_count(offsets[0], begin) ||
      !as_count(offsets[1], end))
    return bad("data_offsets is not a pair of non-negative integers");
  if (begin > end || static_cast<uint64_t>(end) > data_size)
    return bad(
        fmt::format("data_offsets [{}, {}] do not lie in the {} bytes of data", begin, end, data_size));
  info.begin = data_offset + static_cast<uint64_t>(begin);
  info.end = data_offset + static_cast<uint64_t>(end);

  if (const Expected<int64_t> elements = array_elements(info.shape); !elements)
    return bad(elements.status().message());
  if (const std::optional<DtypeName> known = find_dtype(info.dtype)) {
    std::vector<int64_t> shape = info.shape;
    if (known->pair && !shape.empty() && __builtin_mul_overflow(shape.back(), int64_t{2}, &shape.back()))
      return bad("shape is too large");
    const Expected<int64_t> bytes = array_bytes(known->dtype, shape);
    if (!bytes) return bad(bytes.status().message());
    if (*bytes != end - begin)
      return bad(fmt::format("{} [{}] needs {} bytes, data_offsets hold {}", info.dtype,
                             fmt::join(info.shape, ", "), *bytes, end - begin));
    info.shape = std::move(shape);
  }
  return info;
}

Status check_tiling(const std::vector<TensorInfo>& tensors, uint64_t data_offset, uint64_t file_size) {
  uint64_t expected = data_offset;
  for (const TensorInfo& tensor : tensors) {
    if (tensor.begin != expected)
      return Status::bad_input(
          fmt::format("safetensors tensor '{}' begins at byte {} of the data, expected {}: {}", tensor.name,
                      tensor.begin - data_offset, expected - data_offset,
                      tensor.begin < expected ? "tensors overlap" : "there is a hole"));
    expected = tensor.end;
  }
  if (expected != file_size)
    return Status::bad_input(fmt::format("{} bytes after the last tensor", file_size - expected));
  return {};
}

std::string names_of(const std::vector<TensorInfo>& tensors) {
  constexpr size_t kShown = 5;
  std::string names;
  for (size_t i = 0; i < std::min(tensors.size(), kShown); ++i)
    names += (i == 0 ? "" : ", ") + tensors[i].name;
  return tensors.size() > kShown ? fmt::format("{} and {} more", names, tensors.size() - kShown) : names;
}

std::string_view safetensors_dtype(Dtype dtype) {
  switch (dtype) {
    case Dtype::f32:
      return "F32";
    case Dtype::f16:
      return "F16";
    case Dtype::bf16:
      return "BF16";
    case Dtype::u8:
      return "U8";
    case Dtype::e8m0:
      return "F8_E8M0";
    case Dtype::e2m1:
      return "F4";
    case Dtype::i8:
      return "I8";
    case Dtype::u16:
      return "U16";
    case Dtype::i16:
      return "I16";
    case Dtype::u32:
      return "U32";
    case Dtype::i32:
      return "I32";
    case Dtype::u64:
      return "U64";
    case Dtype::i64:
      return "I64";
    case Dtype::f64:
      return "F64";
  }
  return "";
}

struct Header {
  json members;
  uint64_t data_offset = 0;
};

Expected<Header> read_header(const ByteSource& source) {
  std::array<uint8_t, kLengthBytes> start{};
  if (source.size() < kLengthBytes)
    return Status::bad_input("the file ends inside the safetensors header length");
  if (Status status = source.read(0, std::as_writable_bytes(std::span(start))); !status) return status;
  uint64_t length = 0;
  for (size_t i = kLengthBytes; i-- > 0;) length = length << 8 | start[i];
  if (length > kMaxHeader)
    return Status::bad_input(
        fmt::format("not a .safetensors file: header length {} exceeds {}", length, kMaxHeader));
  if (length > source.size() - kLengthBytes)
    return Status::bad_input(fmt::format("the file ends inside the safetensors header ({} of {} bytes)",
                                         source.size() - kLengthBytes, length));
  std::string text(length, '\0');
  if (Status status = source.read(kLengthBytes, std::as_writable_bytes(std::span(text))); !status)
    return status;
  Expected<json> header = parse_header(text);
  if (!header) return header.status();
  return Header{std::move(*header), kLengthBytes + length};
}

}  // namespace

Expected<std::vector<TensorInfo>> list_safetensors(const ByteSource& source) {
  const Expected<Header> header = read_header(source);
  if (!header) return header.status();
  const uint64_t data_offset = header->data_offset;
  std::vector<TensorInfo> tensors;
  for (const auto& [name, entry] : header->members.items()) {
    if (name == kMetadata) continue;
    Expected<TensorInfo> info = tensor_info(name, entry, data_offset, source.size() - data_offset);
    if (!info) return info.status();
    tensors.push_back(std::move(*info));
  }
  std::ranges::sort(tensors, {}, [](const TensorInfo& t) { return std::pair(t.begin, t.end); });
  if (Status status = check_tiling(tensors, data_offset, source.size()); !status) return status;
  return tensors;
}

Expected<SafetensorsMetadata> safetensors_metadata(const ByteSource& source) {
  const Expected<Header> header = read_header(source);
  if (!header) return header.status();
  SafetensorsMetadata metadata;
  const auto found = header->members.find(kMetadata);
  if (found == header->members.end() || !found->is_object()) return metadata;
  for (const auto& [name, value] : found->items())
    if (value.is_string()) metadata[name] = value.get<std::string>();
  return metadata;
}

Expected<Array> read_safetensors(const ByteSource& source, const std::string& name) {
  const Expected<std::vector<TensorInfo>> tensors = list_safetensors(source);
  if (!tensors) return tensors.status();
  if (tensors->empty()) return Status::bad_input("the file holds no tensor");
  if (name.empty() && tensors->size() != 1)
    return Status::bad_input(fmt::format("{} tensors in the file; choose one with FILE:NAME ({})",
                                         tensors->size(), names_of(*tensors)));
  const auto found = std::ranges::find_if(
      *tensors, [&](const TensorInfo& tensor) { return name.empty() || tensor.name == name; });
  if (found == tensors->end())
    return Status::bad_input(fmt::format("no tensor '{}'; the file has {}", name, names_of(*tensors)));
  const std::optional<DtypeName> known = find_dtype(found->dtype);
  if (!known)
    return Status::bad_input(
        fmt::format("tensor '{}' has dtype {}, which is not read; F16 to F64, BF16, I8 to I64, U8 to U64, "
                    "F8_E8M0 and F4 are",
                    found->name, found->dtype));

  Array array{known->dtype, found->shape, std::vector<std::byte>(found->end - found->begin)};
  if (Status status = source.read(found->begin, array.bytes); !status) return status;
  return array;
}

std::string safetensors_header(const std::vector<std::pair<std::string, Array>>& tensors,
                               const SafetensorsMetadata& metadata) {
  json header = json::object();
  if (!metadata.empty()) header[kMetadata] = metadata;
  uint64_t offset = 0;
  for (const auto& [name, array] : tensors) {
    assert(!header.contains(name) && "every tensor of a file has its own name");
    const uint64_t end = offset + array.bytes.size();
    header[name] = {
        {"dtype", safetensors_dtype(array.dtype)}, {"shape", array.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  std::string result;
  for (size_t i = 0; i < kLengthBytes; ++i)
    result += static_cast<char>(uint64_t{text.size()} >> 8 * i & 0xff);
  return result + text;
}

}  // namespace mxproof
