#include "emulator/decode/disassembler.hpp"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

namespace mxproof::emulator {
namespace {

constexpr const char* kTriple = "amdgcn-amd-amdhsa";
constexpr const char* kProcessor = "gfx950";

constexpr uint32_t kScalePrefix =
    0xd3ac;  // upper half of v_mfma_ld_scale_b32, the first 8 bytes of a scaled MFMA

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

/// An SDWA instruction whose selects hold values that mean nothing. LLVM's printer has no case for them, and
/// what it then does is undefined. Fields: AMD CDNA3 ISA reference guide, "SDWA" and "SDWAB".
bool has_meaningless_sdwa(uint32_t word, uint32_t sdwa) {
  constexpr uint32_t kSdwa = 0xf9;
  constexpr uint32_t kVopc = 0x3e;
  constexpr uint32_t kReserved = 7;
  if ((word >> 31) != 0 || (word & 0x1ffU) != kSdwa) return false;
  const bool compares = (word >> 25) == kVopc;  // has a scalar destination in place of dst_sel and dst_unused
  const bool bad_result = ((sdwa >> 8) & 7U) == kReserved || ((sdwa >> 11) & 3U) == 3;
  return ((sdwa >> 16) & 7U) == kReserved || ((sdwa >> 24) & 7U) == kReserved || (!compares && bad_result);
}

/// v_mfma_f32_*_f8f6f4 whose A or B is no vector register: LLVM's decoder narrows them to the format's size
/// without looking. Fields: CDNA4 ISA reference guide, "VOP3P-MAI".
bool has_meaningless_f8f6f4(uint32_t word, uint32_t sources) {
  constexpr uint32_t kFirst = 0xd3ad;  // 16x16x128; 32x32x64 is the next
  if ((word >> 16) != kFirst && (word >> 16) != kFirst + 1) return false;
  constexpr uint32_t kVectors = 0x100U | 0x100U << 9;
  return (sources & kVectors) != kVectors;
}

/// A scaled MFMA, 16 bytes long, of which a scale or C asks for a literal. No instruction is longer, and
/// LLVM's decoder does not survive a literal that it cannot read. Sources are 9 bits each: two scales in the
/// second word, A, B, C in the fourth.
bool has_literal_in_scaled_mfma(const std::array<uint32_t, 5>& words) {
  constexpr uint32_t kLiteral = 0xff;
  const auto source = [&](size_t word, int number) { return (words[word] >> (9 * number)) & 0x1ffU; };
  return source(1, 0) == kLiteral || source(1, 1) == kLiteral || source(3, 2) == kLiteral;
}

/// v_madmk_f16 and v_madak_f16 with the constant 0xff, which LLVM 22's decoder takes for the mark of a
/// literal to come and does not survive.
bool has_unreadable_constant(uint32_t word, uint32_t constant) {
  const uint32_t opcode = word >> 25;  // of VOP2, whose top bit is 0
  return (opcode == 0x24 || opcode == 0x25) && constant == 0xff;
}

/// Contexts that nobody uses at the moment: making one costs as much as thousands of instructions.
class IdleContexts {
 public:
  static IdleContexts& get() {
    static auto* contexts = new IdleContexts;  // outlives every program
    return *contexts;
  }
  void* take() {
    const std::scoped_lock lock(mutex_);
    if (contexts_.empty()) return nullptr;
    void* context = contexts_.back();
    contexts_.pop_back();
    return context;
  }
  void give(void* context) {
    {
      const std::scoped_lock lock(mutex_);
      if (contexts_.size() < kMaxIdle) {
        contexts_.push_back(context);
        return;
      }
    }
    LLVMDisasmDispose(context);
  }

 private:
  static constexpr size_t kMaxIdle = 16;
  std::mutex mutex_;
  std::vector<void*> contexts_;
};

}  // namespace

void Disassembler::Closer::operator()(void* context) const {
  IdleContexts::get().give(context);
}

Expected<Disassembler> Disassembler::create() {
  if (void* idle = IdleContexts::get().take()) return Disassembler(idle);
  initialize_llvm();
  void* context = LLVMCreateDisasmCPU(kTriple, kProcessor, nullptr, 0, nullptr, nullptr);
  if (context == nullptr) {
    return Status::refused(
        "this LLVM library has no AMDGPU disassembler for gfx950; LLVM 22 with the AMDGPU target is needed");
  }
  return Disassembler(context);
}

DisassembledInstruction Disassembler::disassemble(std::span<const std::byte> bytes, uint64_t address) {
  // No gfx950 instruction is longer than 16 bytes (scale prefix and MFMA, 8 bytes each). LLVM always gets
  // that many, zeros behind the end: it does not survive a literal that is cut off.
  std::array<uint8_t, 20> copy{};
  const size_t length = std::min(bytes.size(), copy.size());
  if (length == 0) return {};
  std::memcpy(copy.data(), bytes.data(), length);
  std::array<uint32_t, 5> words{};
  std::memcpy(words.data(), copy.data(), sizeof words);
  DisassembledInstruction result;
  if (has_meaningless_sdwa(words[0], words[1]) || has_meaningless_f8f6f4(words[0], words[1]) ||
      (words[0] >> 16 == kScalePrefix &&
       (has_literal_in_scaled_mfma(words) || has_meaningless_f8f6f4(words[2], words[3]))))
    return result;
  const bool is_unreadable = has_unreadable_constant(words[0], words[1]);
  if (is_unreadable) copy[4] = 0xfe;  // put right in the text
  std::array<char, 512> text{};
  result.size = static_cast<uint32_t>(
      LLVMDisasmInstruction(context_.get(), copy.data(), copy.size(), address, text.data(), text.size()));
  if (result.size > length) result.size = 0;  // cut off
  if (result.size == 0) return result;
  result.text = trimmed(text.data());
  if (is_unreadable) {
    constexpr std::string_view kConstant = "0xfe";
    if (const size_t at = result.text.find(kConstant); at != std::string::npos)
      result.text.replace(at, kConstant.size(), "0xff");
  }
  return result;
}

}  // namespace mxproof::emulator
