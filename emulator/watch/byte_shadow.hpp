// Which bytes of LDS or scratch hold something.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "emulator/watch/memory_access.hpp"

namespace mxproof::emulator {

/// One byte a byte: 0 unwritten, 1 written.
class ByteShadow {
 public:
  /// Forgets everything; `bytes` of memory.
  void begin(size_t bytes) { flags_.assign(bytes, 0); }

  /// Lanes whose bytes are not all written, by byte.
  UndefinedLanes undefined(const MemoryAccess& access) const {
    UndefinedLanes result{};
    for_each_lane(access.lanes, [&](int lane) {
      const uint8_t* flags = &flags_[access.address[lane]];
      if (access.bytes == 16 && is_full(flags) && is_full(flags + 8)) return;
      if (access.bytes == 8 && is_full(flags)) return;
      for (uint32_t i = 0; i < access.bytes; ++i) {
        if (flags[i] == 0) result[i] |= uint64_t{1} << lane;
      }
    });
    return result;
  }
  /// Marks what the lanes write; byte k of lanes in undefined[k] becomes unwritten.
  void write(const MemoryAccess& access, const UndefinedLanes& undefined) {
    for_each_lane(access.lanes, [&](int lane) {
      uint8_t* flags = &flags_[access.address[lane]];
      for (uint32_t i = 0; i < access.bytes; ++i) {
        flags[i] = ((undefined[i] >> lane) & 1U) != 0 ? 0 : 1;
      }
    });
  }

 private:
  static bool is_full(const uint8_t* flags) {
    uint64_t eight;
    std::memcpy(&eight, flags, sizeof eight);
    return eight == 0x0101010101010101U;
  }
  std::vector<uint8_t> flags_;
};

}  // namespace mxproof::emulator
