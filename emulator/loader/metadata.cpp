#include "emulator/loader/metadata.hpp"

#include <llvm/BinaryFormat/MsgPackReader.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mxproof::emulator {
namespace {

using llvm::msgpack::Type;
using nlohmann::json;

constexpr int kMaxDepth = 16;                   // metadata nests 5 deep
constexpr uint32_t kMaxKernargBytes = 1 << 20;  // HIP allows 4 KB

Status malformed(std::string_view what) {
  return Status::bad_input(fmt::format("code object metadata: {}", what));
}

// One msgpack object with everything in it. LLVM's own document type leaves map keys unchecked, which a
// hostile file can use; its reader is sound.
Expected<json> read_object(llvm::msgpack::Reader& reader, int depth) {
  if (depth > kMaxDepth) return malformed(fmt::format("nested deeper than {}", kMaxDepth));
  llvm::msgpack::Object object;
  llvm::Expected<bool> more = reader.read(object);
  if (!more) return malformed(llvm::toString(more.takeError()));
  if (!*more) return malformed("ends early");
  switch (object.Kind) {
    case Type::Int:
      return json(object.Int);
    case Type::UInt:
      return json(object.UInt);
    case Type::Boolean:
      return json(object.Bool);
    case Type::Float:
      return json(object.Float);
    case Type::Nil:
      return json(nullptr);
    case Type::String:
      return json(object.Raw.str());
    case Type::Array: {
      json array = json::array();
      for (size_t i = 0; i < object.Length; ++i) {
        Expected<json> element = read_object(reader, depth + 1);
        if (!element) return element.status();
        array.push_back(*std::move(element));
      }
      return array;
    }
    case Type::Map: {
      json map = json::object();
      for (size_t i = 0; i < object.Length; ++i) {
        Expected<json> key = read_object(reader, depth + 1);
        if (!key) return key.status();
        if (!key->is_string()) return malformed("a map key is not a string");
        Expected<json> element = read_object(reader, depth + 1);
        if (!element) return element.status();
        const auto& name = key->get_ref<const std::string&>();
        if (!map.emplace(name, *std::move(element)).second) return malformed("a map holds a key twice");
      }
      return map;
    }
    default:
      return malformed("holds a kind of object that metadata does not use");
  }
}

// Reads typed fields of one map and remembers the first thing that is wrong with any of them.
class Fields {
 public:
  Fields(const json& map, std::string where) : map_(map), where_(std::move(where)) {
    if (!map.is_object()) fail("is not a map");
  }

  std::string text(const char* key) {
    const json* value = get(key);
    if (value == nullptr) return {};
    if (!value->is_string()) {
      fail(fmt::format("{} is not a string", key));
      return {};
    }
    // These end up in messages and on terminals.
    const auto& text = value->get_ref<const std::string&>();
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
      fail(fmt::format("{} holds a control character", key));
      return {};
    }
    return text;
  }

  /// An integer in [0, max]; `otherwise` when the key is absent.
  uint32_t number(const char* key, uint32_t max, uint32_t otherwise = 0) {
    const json* value = get(key);
    if (value == nullptr) return otherwise;
    return in_range(*value, key, max);
  }

  bool flag(const char* key) {
    const json* value = get(key);
    if (value == nullptr) return false;
    if (value->is_boolean()) return value->get<bool>();
    fail(fmt::format("{} is not a boolean", key));
    return false;
  }

  /// The elements of an array; none when the key is absent.
  const json& array(const char* key) {
    static const json empty = json::array();
    const json* value = get(key);
    if (value == nullptr) return empty;
    if (value->is_array()) return *value;
    fail(fmt::format("{} is not an array", key));
    return empty;
  }

  uint32_t in_range(const json& value, const char* key, uint32_t max) {
    if (value.is_number_unsigned() && value.get<uint64_t>() <= max) return value.get<uint32_t>();
    fail(fmt::format("{} is {}, not an integer in 0..{}", key,
                     value.is_number() ? value.dump() : value.type_name(), max));
    return 0;
  }

  void require(const char* key) {
    if (get(key) == nullptr) fail(fmt::format("has no {}", key));
  }

  void fail(std::string_view what) {
    if (status_.ok()) status_ = malformed(fmt::format("{} {}", where_, what));
  }
  const Status& status() const { return status_; }

 private:
  const json* get(const char* key) const {
    if (!map_.is_object()) return nullptr;
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &*found;
  }

  const json& map_;
  std::string where_;
  Status status_;
};

Expected<KernelArg> read_arg(const json& map, const Kernel& kernel, size_t index) {
  Fields fields(map, fmt::format("kernel {} argument {}", kernel.name, index));
  KernelArg arg;
  for (const char* key : {".offset", ".size", ".value_kind"}) fields.require(key);
  arg.name = fields.text(".name");
  arg.type_name = fields.text(".type_name");
  arg.value_kind_text = fields.text(".value_kind");
  arg.value_kind = value_kind_from_name(arg.value_kind_text);
  arg.offset = fields.number(".offset", kMaxKernargBytes);
  arg.size = fields.number(".size", kMaxKernargBytes);
  if (arg.offset + arg.size > kernel.kernarg_bytes) {
    fields.fail(fmt::format("takes bytes {} to {} of a kernarg segment of {}", arg.offset,
                            arg.offset + arg.size, kernel.kernarg_bytes));
  }
  if (!fields.status().ok()) return fields.status();
  return arg;
}

Expected<Kernel> read_kernel(const json& map, size_t index) {
  Fields fields(map, fmt::format("kernel {}", index));
  Kernel kernel;
  for (const char* key : {".name", ".symbol", ".kernarg_segment_size", ".wavefront_size"})
    fields.require(key);
  kernel.name = fields.text(".name");
  kernel.symbol = fields.text(".symbol");
  kernel.kernarg_bytes = fields.number(".kernarg_segment_size", kMaxKernargBytes);
  kernel.kernarg_alignment = fields.number(".kernarg_segment_align", 4096, 1);
  if (!std::has_single_bit(kernel.kernarg_alignment))
    fields.fail(".kernarg_segment_align is no power of two");
  kernel.wavefront_size = fields.number(".wavefront_size", 64, 64);
  kernel.max_workgroup_size = fields.number(".max_flat_workgroup_size", 1024, 1024);
  kernel.vgpr_count = fields.number(".vgpr_count", 512);
  kernel.agpr_count = fields.number(".agpr_count", 512);
  kernel.sgpr_count = fields.number(".sgpr_count", 512);
  kernel.vgpr_spills = fields.number(".vgpr_spill_count", UINT32_MAX);
  kernel.sgpr_spills = fields.number(".sgpr_spill_count", UINT32_MAX);
  kernel.uses_dynamic_stack = fields.flag(".uses_dynamic_stack");
  const json& required = fields.array(".reqd_workgroup_size");
  if (!required.empty() && required.size() != 3) fields.fail(".reqd_workgroup_size has not 3 elements");
  if (required.size() == 3) {
    for (size_t i = 0; i < 3; ++i) {
      kernel.required_workgroup_size[i] = fields.in_range(required[i], ".reqd_workgroup_size", 1024);
    }
  }
  const json& args = fields.array(".args");
  if (!fields.status().ok()) return fields.status();
  for (size_t i = 0; i < args.size(); ++i) {
    Expected<KernelArg> arg = read_arg(args[i], kernel, i);
    if (!arg) return arg.status();
    kernel.args.push_back(*std::move(arg));
  }
  return kernel;
}

Expected<Metadata> read_note(std::string_view note) {
  llvm::msgpack::Reader reader(llvm::StringRef(note.data(), note.size()));
  Expected<json> root = read_object(reader, 0);
  if (!root) return root.status();
  Fields fields(*root, "root");
  Metadata metadata;
  metadata.target_id = fields.text("amdhsa.target");
  const json& version = fields.array("amdhsa.version");
  if (version.size() != 2 || version[0] != 1) fields.fail("amdhsa.version is not 1.x");
  const json& kernels = fields.array("amdhsa.kernels");
  if (!fields.status().ok()) return fields.status();
  metadata.kernels.reserve(kernels.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    Expected<Kernel> kernel = read_kernel(kernels[i], i);
    if (!kernel) return kernel.status();
    metadata.kernels.push_back(*std::move(kernel));
  }
  return metadata;
}

}  // namespace

Expected<Metadata> read_metadata(std::span<const std::string_view> notes) {
  Metadata all;
  for (const std::string_view note : notes) {
    Expected<Metadata> part = read_note(note);
    if (!part) return part.status();
    if (!all.kernels.empty() && part->target_id != all.target_id)
      return malformed(fmt::format("notes for {} and {}", all.target_id, part->target_id));
    all.target_id = part->target_id;
    std::ranges::move(part->kernels, std::back_inserter(all.kernels));
  }
  std::set<std::string_view> names;
  for (const Kernel& kernel : all.kernels) {
    if (!names.insert(kernel.name).second) return malformed(fmt::format("kernel {} twice", kernel.name));
  }
  return all;
}

}  // namespace mxproof::emulator
