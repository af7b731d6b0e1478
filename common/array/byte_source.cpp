#include "common/array/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace mxproof {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, uint64_t size) : descriptor_(descriptor), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(descriptor_); }

  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<std::byte> into) const override {
    while (!into.empty()) {
      const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Status::bad_input(fmt::format("cannot read: {}", std::strerror(errno)));
      if (got == 0) return Status::bad_input(fmt::format("the file ends at byte {}", offset));
      into = into.subspan(static_cast<size_t>(got));
      offset += static_cast<uint64_t>(got);
    }
    return {};
  }

 private:
  int descriptor_;
  uint64_t size_;
};

Status write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return Status::bad_input(std::strerror(errno));
    bytes = bytes.subspan(static_cast<size_t>(wrote));
  }
  return {};
}

}  // namespace

Status MemorySource::read(uint64_t offset, std::span<std::byte> into) const {
  if (offset > bytes_.size() || into.size() > bytes_.size() - offset)
    return Status::bad_input(fmt::format("the file ends at byte {}", bytes_.size()));
  if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  return {};
}

Expected<std::shared_ptr<ByteSource>> open_file(const std::string& path) {
  // O_NONBLOCK: a named pipe must be refused below, not waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return Status::bad_input(fmt::format("{}: {}", path, std::strerror(errno)));
  struct stat info{};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return Status::bad_input(fmt::format("{}: not a regular file", path));
  }
  return std::shared_ptr<ByteSource>(
      std::make_shared<FileSource>(descriptor, static_cast<uint64_t>(info.st_size)));
}

Status write_file(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
  const auto failed = [&](const std::string& why) {
    ::unlink(temporary.c_str());
    return Status::bad_input(fmt::format("{}: cannot write: {}", path, why));
  };
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed(std::strerror(errno));
  Status status;
  for (const std::span<const std::byte> piece : pieces)
    if (status.ok()) status = write_all(descriptor, piece);
  if (::close(descriptor) != 0 && status.ok()) status = Status::bad_input(std::strerror(errno));
  if (status.ok() && std::rename(temporary.c_str(), path.c_str()) != 0)
    status = Status::bad_input(std::strerror(errno));
  return status.ok() ? Status() : failed(status.message());
}

Status write_text(const std::string& path, std::string_view text) {
  const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(text))};
  return write_file(path, pieces);
}

}  // namespace mxproof
