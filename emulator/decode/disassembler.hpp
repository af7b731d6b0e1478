// Machine code to assembly text, by LLVM's MC library: the one place that knows gfx950's encodings.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/status.hpp"

namespace mxproof::emulator {

/// One instruction as LLVM prints it.
struct DisassembledInstruction {
  std::string text;   ///< "v_add_f32_e32 v0, v1, v2"; empty when the bytes are no instruction.
  uint32_t size = 0;  ///< Bytes; 0 when the bytes are no instruction.
};

/// A gfx950 disassembler. Not thread safe; make one per thread.
class Disassembler {
 public:
  static Expected<Disassembler> create();

  /// Disassembles the instruction at the start of `bytes`, which lies at `address`.
  DisassembledInstruction disassemble(std::span<const std::byte> bytes, uint64_t address);

 private:
  struct Closer {
    void operator()(void* context) const;
  };
  explicit Disassembler(void* context) : context_(context) {}
  std::unique_ptr<void, Closer> context_;
};

}  // namespace mxproof::emulator
