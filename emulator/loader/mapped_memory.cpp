#include "emulator/loader/mapped_memory.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

namespace mxproof::emulator {

std::span<const std::byte> readable_from(const void* data) {
  const auto address = reinterpret_cast<uint64_t>(data);
  uint64_t end = address;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t first = 0;
    uint64_t last = 0;
    char dash = 0;
    std::string rights;
    std::istringstream fields(line);
    if (!(fields >> std::hex >> first >> dash >> last >> rights)) continue;
    // Ascending order: extend while the next mapping begins where we are.
    if (rights.front() == 'r' && first <= end && end < last) end = last;
  }
  return {static_cast<const std::byte*>(data), end - address};
}

}  // namespace mxproof::emulator
