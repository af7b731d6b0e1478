// Any bytes as a bundle, a compressed bundle or a host binary: entries that can be read, or one clear error.
#include <algorithm>
#include <vector>

#include "emulator/loader/fat_binary.hpp"
#include "tests/fuzz/checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mxproof;
  const auto binary = emulator::FatBinary::parse({reinterpret_cast<const std::byte*>(data), size});
  if (!binary) {
    fuzz::require_refusal(binary.status());
    return 0;
  }
  unsigned sum = 0;
  for (const auto& bundle : binary->bundles()) {
    for (const auto& object : bundle.objects) {
      fuzz::require(std::ranges::all_of(object.id, [](char c) { return c >= 0x20 && c < 0x7f; }));
      // Both ends are touched: a sanitizer sees an entry that reaches too far.
      if (!object.bytes.empty())
        sum +=
            std::to_integer<unsigned>(object.bytes.front()) + std::to_integer<unsigned>(object.bytes.back());
    }
  }
  const auto selected = binary->select(mxproof::emulator::kGfx950);
  if (selected) {
    fuzz::require(!selected->empty());
  } else {
    fuzz::require_refusal(selected.status());
  }
  return sum == ~0U ? -1 : 0;
}
