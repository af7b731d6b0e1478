#include "common/array/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

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

Status write_pieces(int descriptor, std::span<const std::span<const std::byte>> pieces) {
  Status status;
  for (const std::span<const std::byte> piece : pieces)
    if (status.ok()) status = write_all(descriptor, piece);
  return status;
}

Status failure() {
  return Status::bad_input(std::strerror(errno));
}

bool is_link(const std::string& path) {
  struct stat info{};
  return ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

/// Standard output or error when the file is that, else -1: opening it again would overwrite what it holds.
int standard_stream(const struct stat& file) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat info{};
    if (::fstat(descriptor, &info) != 0 || info.st_dev != file.st_dev || info.st_ino != file.st_ino) continue;
    std::fflush(nullptr);
    return descriptor;
  }
  return -1;
}

Status write_and_close(int descriptor, std::span<const std::span<const std::byte>> pieces) {
  if (descriptor < 0) return failure();
  Status status = write_pieces(descriptor, pieces);
  if (::close(descriptor) != 0 && status.ok()) status = failure();
  return status;
}

Status write_in_place(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  return write_and_close(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), pieces);
}

/// Puts a new file in the place of `old`, if there is one.
Status replace(const std::string& path, const std::optional<struct stat>& old,
               std::span<const std::span<const std::byte>> pieces) {
  std::string target = path;
  if (old) {
    if (::access(path.c_str(), W_OK) != 0) return failure();
    std::error_code ignored;
    if (const auto resolved = std::filesystem::canonical(path, ignored); !ignored) target = resolved;
  }
  const std::string temporary = fmt::format("{}.{}.part", target, ::getpid());
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  // A folder that takes no new file may still hold one that can be written.
  if (descriptor < 0 && old) return write_in_place(path, pieces);
  if (descriptor >= 0 && old) {
    [[maybe_unused]] const int kept_owner = ::fchown(descriptor, old->st_uid, old->st_gid);  // root's to give
    ::fchmod(descriptor, old->st_mode & 07777);
  }
  Status status = write_and_close(descriptor, pieces);
  bool is_mounted = false;
  if (status.ok()) {
    if (std::rename(temporary.c_str(), target.c_str()) == 0) return {};
    is_mounted = errno == EBUSY;
    status = failure();
  }
  ::unlink(temporary.c_str());
  return old && is_mounted ? write_in_place(path, pieces) : status;
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

Expected<std::string> read_text(const std::string& path, size_t most) {
  const auto cannot = [&](const std::string& why) {
    return Status::bad_input(fmt::format("{}: cannot be read: {}", path, why));
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return cannot(std::strerror(errno));
  std::string text;
  ssize_t got = 1;
  while (got > 0 && text.size() <= most) {
    char part[1 << 16];
    do {
      got = ::read(descriptor, part, sizeof part);  // of a directory: an error that says so
    } while (got < 0 && errno == EINTR);
    if (got > 0) text.append(part, static_cast<size_t>(got));
  }
  const int error = errno;
  ::close(descriptor);
  if (got < 0) return cannot(std::strerror(error));
  if (text.size() > most) return cannot(fmt::format("it has more than {} bytes", most));
  return text;
}

Status write_file(const std::string& path, std::span<const std::span<const std::byte>> pieces) {
  Status status;
  struct stat there{};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) {
    status = Status::bad_input("is a directory");
  } else if (const int descriptor = exists ? standard_stream(there) : -1; descriptor >= 0) {
    status = write_pieces(descriptor, pieces);
  } else if (exists && S_ISREG(there.st_mode)) {
    status = replace(path, there, pieces);
  } else if (exists || is_link(path)) {
    status = write_in_place(path, pieces);
  } else {
    status = replace(path, {}, pieces);
  }
  return status.ok() ? Status()
                     : Status::bad_input(fmt::format("{}: cannot write: {}", path, status.message()));
}

Status check_writable(const std::string& path) {
  struct stat there{};
  if (::stat(path.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) return Status::bad_input(fmt::format("{}: is a directory", path));
    if (::access(path.c_str(), W_OK) == 0) return {};
    return Status::bad_input(fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
  }
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  if (::access(directory.empty() ? "." : directory.c_str(), W_OK) == 0) return {};
  return Status::bad_input(fmt::format("{}: its directory does not exist or may not be written to", path));
}

Status write_text(const std::string& path, std::string_view text) {
  const std::span<const std::byte> pieces[] = {std::as_bytes(std::span(text))};
  return write_file(path, pieces);
}

}  // namespace mxproof
