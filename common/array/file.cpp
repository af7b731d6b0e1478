#include "common/array/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/array/npy.hpp"
#include "common/array/safetensors.hpp"

namespace mxproof {
namespace {

constexpr std::string_view kNpy = ".npy";
constexpr std::string_view kSafetensors = ".safetensors";

struct FileName {
  std::string path;
  std::string tensor;
  bool is_npy = false;
};

Expected<FileName> split(const std::string& name) {
  if (name.ends_with(kNpy)) return FileName{name, "", true};
  if (name.ends_with(kSafetensors)) return FileName{name, "", false};
  // The last ".safetensors:" separates; tensor names may hold colons, and so may directories.
  const size_t dot = name.rfind(std::string(kSafetensors) + ":");
  if (dot != std::string::npos) {
    const size_t colon = dot + kSafetensors.size();
    return FileName{name.substr(0, colon), name.substr(colon + 1), false};
  }
  return Status::bad_input(fmt::format("{}: need a file named *.npy or *.safetensors[:TENSOR]", name));
}

Status with_file(const std::string& path, const Status& status) {
  return {status.code(), fmt::format("{}: {}", path, status.message())};
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

Expected<Array> read_array(const std::string& name) {
  const Expected<FileName> file = split(name);
  if (!file) return file.status();
  const Expected<std::shared_ptr<ByteSource>> source = open_file(file->path);
  if (!source) return source.status();
  Expected<Array> array = file->is_npy ? read_npy(**source) : read_safetensors(**source, file->tensor);
  if (!array) return with_file(file->path, array.status());
  return array;
}

Status write_array(const std::string& name, const Array& array) {
  const Expected<FileName> file = split(name);
  if (!file) return file.status();
  if (!file->is_npy)
    return write_safetensors(file->path, {{file->tensor.empty() ? "data" : file->tensor, array}});
  const std::string header = npy_header(array);
  return write_file(file->path, std::array{bytes_of(header), std::span<const std::byte>(array.bytes)});
}

Status write_safetensors(const std::string& path, const std::vector<std::pair<std::string, Array>>& tensors,
                         const SafetensorsMetadata& metadata) {
  const std::string header = safetensors_header(tensors, metadata);
  std::vector<std::span<const std::byte>> pieces{bytes_of(header)};
  for (const auto& [name, array] : tensors) pieces.emplace_back(array.bytes);
  return write_file(path, pieces);
}

Expected<SafetensorsMetadata> read_metadata(const std::string& name) {
  const Expected<FileName> file = split(name);
  if (!file) return file.status();
  if (file->is_npy) return SafetensorsMetadata();
  const Expected<std::shared_ptr<ByteSource>> source = open_file(file->path);
  if (!source) return source.status();
  Expected<SafetensorsMetadata> metadata = safetensors_metadata(**source);
  if (!metadata) return with_file(file->path, metadata.status());
  return metadata;
}

bool has_tensors(const std::string& path, std::span<const std::string_view> names) {
  if (!path.ends_with(kSafetensors)) return false;
  const Expected<std::shared_ptr<ByteSource>> source = open_file(path);
  if (!source) return false;
  const Expected<std::vector<TensorInfo>> tensors = list_safetensors(**source);
  return tensors && std::ranges::all_of(names, [&](std::string_view name) {
           return std::ranges::find(*tensors, name, &TensorInfo::name) != tensors->end();
         });
}

}  // namespace mxproof
