// A decoded instruction, ready to run: registers resolved to row numbers, constants to rows of 64 equal
// lanes, so that executing it parses nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/status.hpp"
#include "emulator/decode/assembly_text.hpp"
#include "emulator/isa/instruction_class.hpp"

namespace mxproof::emulator {

inline constexpr int kLanes = 64;
/// Rows of the vector register file: v0..v255, then a0..a255.
inline constexpr uint16_t kFirstAgpr = 256;
inline constexpr uint16_t kVectorRegisters = 512;
/// "No register here."
inline constexpr uint16_t kNone = 0xffff;

struct Instruction;
struct Wave;
struct VectorAccess;
struct LdsAccess;

using Handler = void (*)(const Instruction&, Wave&);

/// The type of an operand: its width, and what an inline constant such as 0.5 means there.
enum class OperandType : uint8_t { none, b16, f16, b32, f32, b64, f64, pk16, pkf16, pkf32, mask };
constexpr int rows_of(OperandType type) {
  switch (type) {
    case OperandType::none:
      return 0;
    case OperandType::b64:
    case OperandType::f64:
    case OperandType::pkf32:
    case OperandType::mask:
      return 2;
    default:
      return 1;
  }
}

/// Which part of a dword an operand uses (SDWA selects, op_sel of 16-bit operands).
enum class Part : uint8_t { dword, byte0, byte1, byte2, byte3, word0, word1 };

/// What happens to a source on its way from the register to the operation.
struct SourceDecoration {
  Part part = Part::dword;
  bool sign_extend = false;
  bool absolute = false;
  bool negate = false;
  uint8_t sign_bit = 31;  ///< Which bit negate and absolute work on: 15, 31 or 63.
  bool dpp = false;       ///< Lanes are permuted first, as the instruction's `dpp` says.
  // Packed operands: two 16-bit halves chosen freely, then signs flipped by `flip`.
  bool packed = false;
  bool low_from_high = false;
  bool high_from_high = true;
  uint32_t flip = 0;
};

/// Lane permutation of DPP. `source[lane]` is the lane read, or -1 where there is none.
struct Dpp {
  std::array<int16_t, kLanes> source{};
  uint64_t enabled = ~uint64_t{0};  ///< Lanes that row_mask and bank_mask let write.
  bool zero_invalid = false;        ///< bound_ctrl: an invalid source reads 0 instead of blocking the write.
};

/// What happens to a result between the operation and the register.
struct ResultDecoration {
  Part part = Part::dword;
  enum class Unused : uint8_t { pad, sign_extend, preserve } unused = Unused::pad;
  bool clamp = false;
  float multiply = 1.0F;  ///< Output modifier mul:2, mul:4, div:2.
};

enum class SourceKind : uint8_t { none, vector, constant, scalar };

/// A source operand.
struct Source {
  const uint32_t* constant = nullptr;  ///< Rows of 64 equal lanes; see ConstantPool.
  const SourceDecoration* decoration = nullptr;
  uint16_t reg = 0;  ///< Row of the vector register file, or scalar register.
  SourceKind kind = SourceKind::none;
  uint8_t rows = 1;     ///< Dwords a lane.
  bool direct = false;  ///< A vector register or constant without decoration: usable where it lies.
};

struct Row;

/// Row::extra of 16-bit instructions that leave the upper half of their destination as it was.
inline constexpr uint32_t kKeepsHighHalf = 1;

struct Instruction {
  Handler run = nullptr;
  std::array<Source, 5> src;
  const Instruction* target = nullptr;  ///< Of a branch.
  const Dpp* dpp = nullptr;
  const ResultDecoration* result = nullptr;  ///< nullptr when the result is written as it is.
  const Row* row = nullptr;
  void (*complete)(VectorAccess&, Wave&) = nullptr;   ///< Vector memory: what happens when the wait is over.
  void (*complete_lds)(LdsAccess&, Wave&) = nullptr;  ///< LDS: the same.
  uint64_t pc = 0;                                    ///< Address.
  uint32_t index = 0;                                 ///< Unique in the program; consecutive where code is.
  uint32_t size = 0;                                  ///< Bytes.
  int32_t offset = 0;                                 ///< Immediate: memory offset, simm16, ...
  int32_t offset2 = 0;                                ///< Second immediate: offset1 of LDS pairs, in bytes.
  uint32_t extra = 0;                                 ///< Meaning depends on the family, see each.
  uint16_t dst = kNone;                               ///< First row or scalar register written.
  uint16_t dst2 = kNone;                              ///< Second destination: carry out, ...
  uint8_t dst_rows = 0;
  bool plain = true;        ///< Without dpp and result decoration.
  bool dst_scalar = false;  ///< `dst` is a scalar register.
};

/// Constants and decorations live as long as the program and are handed out by it.
class InstructionArena {
 public:
  virtual ~InstructionArena() = default;
  /// Two rows of 64 lanes: all low words, then all high words.
  virtual const uint32_t* constant(uint64_t value) = 0;
  virtual const SourceDecoration* keep(const SourceDecoration& decoration) = 0;
  virtual const ResultDecoration* keep(const ResultDecoration& decoration) = 0;
  virtual const Dpp* keep(const Dpp& dpp) = 0;
};

/// What a row's builder gets to see.
struct BuildContext {
  const TextInstruction& text;
  std::span<const uint32_t> words;  ///< The encoding.
  const Row& row;
  InstructionArena& arena;
};

/// Fills `instruction` from the text. Errors: bad_input naming what is not understood.
using Builder = Status (*)(const BuildContext& context, Instruction& instruction);

/// One instruction of the ISA: a row of the table.
struct Row {
  std::string_view name;  ///< Mnemonic without encoding suffix.
  Handler run = nullptr;
  Builder build = nullptr;
  InstructionClass instruction_class = InstructionClass::other;
  OperandType result = OperandType::none;
  std::array<OperandType, 4> sources{};
  uint32_t extra = 0;  ///< Copied to Instruction::extra.
  void (*complete)(VectorAccess&, Wave&) = nullptr;
  void (*complete_lds)(LdsAccess&, Wave&) = nullptr;
};

}  // namespace mxproof::emulator
