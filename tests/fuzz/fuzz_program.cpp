// Any bytes as code: every instruction is decoded and built, its registers lie in the wave's files, and a
// wave runs it to an end, a fault or the end of its budget.
#include "tests/emulator/support/hostile_code.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static mxproof::emulator::LoneWave wave;
  if (size >= 4) mxproof::emulator::run_hostile_code({reinterpret_cast<const std::byte*>(data), size}, wave);
  return 0;
}
