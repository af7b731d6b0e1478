#include "emulator/loader/mapped_memory.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace mxproof::emulator {

std::span<const std::byte> readable_from(const void* data) {
  const auto address = reinterpret_cast<uint64_t>(data);
  uint64_t end = address;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uint64_t first = 0;
    uint64_t last = 0;
    char readable = '-';
    if (std::sscanf(line.c_str(), "%lx-%lx %c", &first, &last, &readable) != 3) continue;
    // Ascending order: extend while the next mapping begins where we are.
    if (readable == 'r' && first <= end && end < last) end = last;
  }
  return {static_cast<const std::byte*>(data), end - address};
}

}  // namespace mxproof::emulator
