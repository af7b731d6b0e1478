// Any bytes as a .npy: an array whose parts fit together, or one clear error. An accepted array is written
// and read back.
#include <cstring>

#include "common/array/npy.hpp"
#include "tests/fuzz/array_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mxproof;
  const auto array = read_npy(MemorySource({reinterpret_cast<const std::byte*>(data), size}));
  if (!array) {
    fuzz::require_message(array.status());
    return 0;
  }
  fuzz::require_consistent(*array);
  const std::string header = npy_header(*array);
  std::vector<std::byte> again(header.size() + array->bytes.size());
  std::memcpy(again.data(), header.data(), header.size());
  if (!array->bytes.empty())
    std::memcpy(again.data() + header.size(), array->bytes.data(), array->bytes.size());
  const auto second = read_npy(MemorySource(again));
  fuzz::require(second.ok());
  fuzz::require(second->shape == array->shape && second->bytes == array->bytes);
  return 0;
}
