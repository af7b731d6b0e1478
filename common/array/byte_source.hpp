// Where array bytes come from: a file, or memory for tests and fuzzers. One reader serves both, so what is
// fuzzed is what runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/status.hpp"

namespace mxproof {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  /// Fills `into` from `offset`. An error when the range passes the end or the device fails to read.
  virtual Status read(uint64_t offset, std::span<std::byte> into) const = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> bytes_;
};

/// Opens a regular file for reading; the error names it and says why not.
Expected<std::shared_ptr<ByteSource>> open_file(const std::string& path);

/// Reads a whole text, also from a pipe; more than `most` bytes are an error, as everything is that is no
/// file.
Expected<std::string> read_text(const std::string& path, size_t most);

/// Writes a whole file from its pieces. A regular file is made under a temporary name, so that a failure
/// leaves no half of one, and keeps the permissions of the file that it replaces; a link stays, its target is
/// replaced. A device, pipe or terminal is written to where it is.
Status write_file(const std::string& path, std::span<const std::span<const std::byte>> pieces);

/// The same for one text, such as a report.
Status write_text(const std::string& path, std::string_view text);

/// Whether `path` could be written, for saying so before hours of work rather than after them.
Status check_writable(const std::string& path);

}  // namespace mxproof
