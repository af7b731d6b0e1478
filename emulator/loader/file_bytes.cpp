#include "emulator/loader/file_bytes.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace mxproof::emulator {

Expected<std::vector<std::byte>> read_file_bytes(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return Status::bad_input(fmt::format("{}: {}", path, error ? error.message() : "not a regular file"));
  }
  const uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return Status::bad_input(fmt::format("{}: {}", path, error.message()));
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status::bad_input(fmt::format("{}: {}", path, std::strerror(errno)));
  std::vector<std::byte> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<uintmax_t>(file.gcount()) != size) {
    return Status::bad_input(fmt::format("{}: read {} of {} bytes", path, file.gcount(), size));
  }
  return bytes;
}

}  // namespace mxproof::emulator
