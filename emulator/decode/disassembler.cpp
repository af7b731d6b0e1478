#include "emulator/decode/disassembler.hpp"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <array>
#include <mutex>
#include <string_view>

namespace mxproof::emulator {
namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";
constexpr const char* kProcessor = "gfx950";

void initialize_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

void Disassembler::Closer::operator()(void* context) const {
  LLVMDisasmDispose(context);
}

Expected<Disassembler> Disassembler::create() {
  initialize_llvm();
  void* context = LLVMCreateDisasmCPU(kTriple, kProcessor, nullptr, 0, nullptr, nullptr);
  if (context == nullptr) {
    return Status::refused(
        "this LLVM library has no AMDGPU disassembler for gfx950; LLVM 22 with the AMDGPU target is needed");
  }
  return Disassembler(context);
}

DisassembledInstruction Disassembler::disassemble(std::span<const std::byte> bytes, uint64_t address) {
  // No gfx950 instruction is longer than 16 bytes (scale prefix and MFMA, 8 bytes each).
  std::array<uint8_t, 20> copy{};
  const size_t length = std::min(bytes.size(), copy.size());
  for (size_t i = 0; i < length; ++i) copy[i] = static_cast<uint8_t>(bytes[i]);
  std::array<char, 512> text{};
  DisassembledInstruction result;
  result.size = static_cast<uint32_t>(
      LLVMDisasmInstruction(context_.get(), copy.data(), length, address, text.data(), text.size()));
  if (result.size != 0) result.text = trimmed(text.data());
  return result;
}

}  // namespace mxproof::emulator
