// Finds code objects in whatever a compiler leaves behind: a plain code object, an offload bundle, a
// compressed bundle, or a HIP executable, object file or shared library with bundles in its section
// .hip_fatbin.
//
//   executable           bundle                       compressed bundle
//   +-------------+      "__CLANG_OFFLOAD_BUNDLE__"   "CCOB", version, method, sizes, hash
//   | .hip_fatbin |--+   entry count                  zstd or zlib stream of a bundle
//   +-------------+  |   { offset, size, id } ...
//                    +-> code objects
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"
#include "emulator/loader/chip.hpp"

namespace mxproof::emulator {

/// One entry of a bundle: the code for one target.
struct BundledObject {
  std::string id;  ///< Such as "hipv4-amdgcn-amd-amdhsa--gfx950:xnack-".
  std::span<const std::byte> bytes;
};

/// The entries that come from one translation unit (or one link): the same code for several targets.
struct Bundle {
  std::vector<BundledObject> objects;  ///< Without empty entries, which stand for the host.
  bool is_compressed = false;

  /// The entry that a device with this chip runs, the most specific one when there are several; nullptr when
  /// there is none.
  const BundledObject* best_for(const Chip& chip) const;
};

/// Everything found in a file or in memory. Movable; entries point into the input and into buffers kept here.
class FatBinary {
 public:
  /// What the bytes turned out to be.
  enum class Kind { code_object, bundle, host_binary };

  /// Reads a whole file. `file` must outlive the result. Errors: bad_input when it is none of the above or is
  /// malformed.
  static Expected<FatBinary> parse(std::span<const std::byte> file);

  /// Reads what `hipModuleLoadData` or a wrapper's pointer points at: a code object or a bundle in this
  /// process, of unknown size. The mapped memory around it bounds every read.
  static Expected<FatBinary> parse_memory(const void* data);

  /// Reads what `__hipRegisterFatBinary` is given: {0x48495046, 1, pointer to bundle, 0}.
  static Expected<FatBinary> parse_wrapper(const void* wrapper);

  Kind kind() const { return kind_; }
  const std::vector<Bundle>& bundles() const { return bundles_; }

  /// The code objects that the chip runs, at most one a bundle. Errors: refused, with the ids that are there,
  /// when there is none.
  Expected<std::vector<std::span<const std::byte>>> select(const Chip& chip) const;

 private:
  // Adds the bundle or code object at the start of `bytes`; returns how many bytes it takes.
  Expected<size_t> add_one(std::span<const std::byte> bytes);
  Status add_plain_bundle(std::span<const std::byte> bytes, bool is_compressed, size_t* end);
  Expected<size_t> add_compressed_bundle(std::span<const std::byte> bytes);
  // Adds every bundle of a section, which hold one a translation unit, padded.
  Status add_all(std::span<const std::byte> section);

  Kind kind_ = Kind::code_object;
  std::vector<Bundle> bundles_;
  std::vector<std::unique_ptr<std::byte[]>> buffers_;
};

}  // namespace mxproof::emulator
