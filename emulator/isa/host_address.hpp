// Device addresses are host addresses; these are the two places where one becomes the other.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mxproof::emulator {

inline std::byte* host(uint64_t address) {
  return std::bit_cast<std::byte*>(address);
}
inline uint64_t device(const void* pointer) {
  return std::bit_cast<uint64_t>(pointer);
}

}  // namespace mxproof::emulator
