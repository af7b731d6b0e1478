// Any bytes as a .safetensors: a list of tensors that tile the file, each readable or refused, or one clear
// error.
#include "common/array/safetensors.hpp"
#include "tests/fuzz/array_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mxproof;
  const MemorySource source({reinterpret_cast<const std::byte*>(data), size});
  const auto tensors = list_safetensors(source);
  if (!tensors) {
    fuzz::require_message(tensors.status());
    fuzz::require(!read_safetensors(source, "").ok());
    return 0;
  }
  uint64_t covered = 0;
  for (const TensorInfo& tensor : *tensors) {
    fuzz::require(tensor.begin <= tensor.end && tensor.end <= size);
    covered += tensor.end - tensor.begin;
    const auto array = read_safetensors(source, tensor.name);
    if (array) {
      fuzz::require_consistent(*array);
      fuzz::require(array->bytes.size() == tensor.end - tensor.begin);
    } else if (!tensor.name.empty()) {
      fuzz::require_message(array.status());
    }
  }
  fuzz::require(covered <= size);
  return 0;
}
