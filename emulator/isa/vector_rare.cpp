// Vector instructions that compilers hardly ever emit: differences of bytes in a sliding window, digits of 2
// / pi, a byte packed into its destination. Source of the operations: AMD CDNA3 ISA reference guide, chapter
// "Instructions", VOP2 and VOP3.
#include <array>
#include <bit>
#include <cmath>

#include "emulator/isa/build.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

/// Word `word` of source `slot` in a lane.
uint32_t source_word(const Wave& w, const Source& source, int word, int lane) {
  if (source.kind == SourceKind::vector) return w.row(static_cast<uint16_t>(source.reg + word))[lane];
  if (source.kind == SourceKind::constant) return word < 2 ? source.constant[word * kLanes] : 0;
  return w.sgpr[source.reg + word];
}
uint64_t source_pair(const Wave& w, const Source& source, int lane) {
  return source_word(w, source, 0, lane) | uint64_t{source_word(w, source, 1, lane)} << 32;
}

/// Sum of the differences of four bytes; where `masked`, bytes of the reference that are 0 do not count.
uint32_t byte_differences(uint32_t window, uint32_t reference, bool masked) {
  uint32_t sum = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto a = static_cast<int>((window >> shift) & 0xffU);
    const auto b = static_cast<int>((reference >> shift) & 0xffU);
    if (!masked || b != 0) sum += static_cast<uint32_t>(std::abs(a - b));
  }
  return sum;
}

/// Four windows of four bytes, one byte apart, of src0's eight; each result adds to its part of src2.
template <int ResultBits, bool Masked>
void window_differences(const Instruction& inst, Wave& w) {
  constexpr int kWords = 4 * ResultBits / 32;
  for (uint64_t left = w.exec(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t bytes = source_pair(w, inst.src[0], lane);
    const uint32_t reference = source_word(w, inst.src[1], 0, lane);
    std::array<uint32_t, kWords> result{};
    for (int i = 0; i < 4; ++i) {
      const int word = i * ResultBits / 32;
      const int shift = i * ResultBits % 32;
      const uint32_t base = source_word(w, inst.src[2], word, lane) >> shift;
      uint32_t sum = byte_differences(static_cast<uint32_t>(bytes >> (8 * i)), reference, Masked) + base;
      if (ResultBits == 16) sum &= 0xffffU;
      result[word] |= sum << shift;
    }
    for (int word = 0; word < kWords; ++word)
      w.row(static_cast<uint16_t>(inst.dst + word))[lane] = result[word];
  }
}

/// The first 1201 bits of 2 / pi after the point, most significant first; zeros follow.
constexpr std::array<uint64_t, 20> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000};
constexpr uint32_t kTwoOverPiBits = 1201;

/// 53 bits of 2 / pi from bit `first` on, counted from the point.
uint64_t two_over_pi(uint32_t first) {
  uint64_t bits = 0;
  for (uint32_t i = first; i < first + 53; ++i)
    bits = bits << 1 | (i < kTwoOverPiBits ? (kTwoOverPi[i / 64] >> (63 - i % 64)) & 1U : 0U);
  return bits;
}

/// The part of 2 / pi that a reduction of src0 needs next: 53 bits, segment src1[4:0], later for large
/// arguments.
void v_trig_preop_f64(const Instruction& inst, Wave& w) {
  constexpr int kLargestUnshifted = 1077;
  constexpr int kHuge = 1968;
  for (uint64_t left = w.exec(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    uint64_t argument = source_pair(w, inst.src[0], lane);
    if (inst.src[0].kind == SourceKind::scalar) argument = read_scalar64(w, inst.src[0]);
    const auto exponent = static_cast<int>((argument >> 52) & 0x7ffU);
    int shift = 53 * static_cast<int>(source_word(w, inst.src[1], 0, lane) & 31U);
    if (exponent > kLargestUnshifted) shift += exponent - kLargestUnshifted;
    const int scale = -53 - shift + (exponent >= kHuge ? 128 : 0);
    const double value = std::ldexp(static_cast<double>(two_over_pi(static_cast<uint32_t>(shift))), scale);
    const auto bits = std::bit_cast<uint64_t>(value);
    w.row(inst.dst)[lane] = static_cast<uint32_t>(bits);
    w.row(static_cast<uint16_t>(inst.dst + 1))[lane] = static_cast<uint32_t>(bits >> 32);
  }
}

/// Byte src1[1:0] of the destination becomes src0, saturated to 0..255; the others stay.
void v_cvt_pkaccum_u8_f32(const Instruction& inst, Wave& w) {
  for (uint64_t left = w.exec(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const float nearest = std::nearbyint(std::bit_cast<float>(source_word(w, inst.src[0], 0, lane)));
    const uint32_t byte = nearest >= 255.0F ? 255U : nearest > 0.0F ? static_cast<uint32_t>(nearest) : 0U;
    const uint32_t shift = 8 * (source_word(w, inst.src[1], 0, lane) & 3U);
    uint32_t& d = w.row(inst.dst)[lane];
    d = (d & ~(0xffU << shift)) | byte << shift;
  }
}

void v_clrexcp(const Instruction&, Wave&) {}  // exceptions are not modelled
Status build_nothing(const BuildContext&, Instruction&) {
  return {};
}

constexpr uint32_t kWideThird = 1;  ///< Row::extra: src2 is four registers, and so is the result.

/// vdst, src0, src1 [, src2] without modifiers.
Status build(const BuildContext& context, Instruction& instruction) {
  const bool wide = (context.row.extra & kWideThird) != 0;
  size_t count = 0;
  while (count < context.row.sources.size() && context.row.sources[count] != OperandType::none) ++count;
  if (Status s = need_operands(context, count + 1); !s.ok()) return s;
  if (!context.text.modifiers.empty()) return Status::bad_input("modifiers are not modelled here");
  const int rows = wide ? 4 : rows_of(context.row.result);
  if (Status s = build_destination(context, 0, rows, instruction); !s.ok()) return s;
  if (instruction.dst_scalar) return operand_error(context, 0, "should be a vector register");
  for (size_t i = 0; i < count; ++i) {
    const TextOperand& operand = context.text.operands[i + 1];
    if (operand.negate || operand.absolute || operand.sign_extend)
      return operand_error(context, i + 1, "has a modifier that is not modelled");
    if (Status s = build_source(context, operand, context.row.sources[i], instruction.src[i]); !s.ok())
      return s;
    const bool is_wide = wide && i == 2;
    if (is_wide && (!is_vector(operand) || operand.count != 4))
      return operand_error(context, i + 1, "should be four vector registers");
  }
  return {};
}

constexpr InstructionClass kClass = InstructionClass::vector_alu;
constexpr OperandType k32 = OperandType::b32;
constexpr OperandType k64 = OperandType::b64;

constexpr Row kRows[] = {
    {"v_qsad_pk_u16_u8", &window_differences<16, false>, &build, kClass, k64, {k64, k32, k64}},
    {"v_mqsad_pk_u16_u8", &window_differences<16, true>, &build, kClass, k64, {k64, k32, k64}},
    {"v_mqsad_u32_u8", &window_differences<32, true>, &build, kClass, k64, {k64, k32, k64}, kWideThird},
    {"v_trig_preop_f64", &v_trig_preop_f64, &build, kClass, OperandType::f64, {OperandType::f64, k32}},
    {"v_cvt_pkaccum_u8_f32", &v_cvt_pkaccum_u8_f32, &build, kClass, k32, {OperandType::f32, k32}},
    {"v_clrexcp", &v_clrexcp, &build_nothing, kClass},
};

}  // namespace

std::span<const Row> vector_rare_rows() {
  return kRows;
}

}  // namespace mxproof::emulator
