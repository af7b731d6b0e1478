#include "tests/emulator/loader/sample.hpp"

#include <cstdlib>
#include <iostream>

#include "emulator/loader/file_bytes.hpp"

namespace mxproof::emulator {

std::vector<std::byte> sample(const std::string& name) {
  Expected<std::vector<std::byte>> bytes = read_file_bytes(std::string(MXPROOF_SAMPLES "/") + name);
  if (!bytes.ok()) {
    std::cerr << bytes.status().message() << '\n';
    std::abort();
  }
  return *std::move(bytes);
}

}  // namespace mxproof::emulator
