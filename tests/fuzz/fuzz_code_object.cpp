// Any bytes as a code object: one whose addresses all lie inside of its image, or one clear error.
#include "emulator/loader/code_object.hpp"
#include "tests/fuzz/checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace mxproof;
  const auto object = emulator::CodeObject::load({reinterpret_cast<const std::byte*>(data), size});
  if (!object) {
    fuzz::require_refusal(object.status());
    return 0;
  }
  const auto first = reinterpret_cast<uint64_t>(object->image().data());
  const uint64_t bytes = object->image().size();
  const auto inside = [&](uint64_t address, uint64_t length) {
    return address >= first && address - first <= bytes && length <= bytes - (address - first);
  };
  for (const auto& segment : object->segments()) fuzz::require(inside(segment.address, segment.size));
  for (const auto& variable : object->variables()) fuzz::require(inside(variable.address, variable.size));
  for (const auto& function : object->functions()) fuzz::require(inside(function.address, function.size));
  for (const auto& kernel : object->kernels()) {
    fuzz::require(inside(kernel.entry, 4) && inside(kernel.descriptor_address, 64));
    fuzz::require(object->find(kernel.name) != nullptr);
    for (const auto& arg : kernel.args) fuzz::require(arg.offset + arg.size <= kernel.kernarg_bytes);
  }
  return 0;
}
