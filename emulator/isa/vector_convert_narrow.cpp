// Conversions to and from the 8-, 6- and 4-bit formats, plain, scaled and stochastic. One table says for each
// instruction what it reads and writes; one function does them all.
// Source of the operations: LLVM documentation of gfx950; what it leaves open are switches: narrow_nan,
// conversion_scale_255, stochastic_seed, two_sources_order.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "emulator/isa/build.hpp"
#include "emulator/isa/float16.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/isa/small_float.hpp"
#include "emulator/machine/wave.hpp"

namespace mxproof::emulator {
namespace {

enum class Element : uint8_t { f32, f16, bf16, fp8, bf8, fp6, bf6, fp4 };

constexpr int bits_of(Element element) {
  switch (element) {
    case Element::f32:
      return 32;
    case Element::f16:
    case Element::bf16:
      return 16;
    case Element::fp8:
    case Element::bf8:
      return 8;
    case Element::fp6:
    case Element::bf6:
      return 6;
    case Element::fp4:
      return 4;
  }
  return 0;
}
const SmallFormat& format_of(Element element) {
  switch (element) {
    case Element::fp8:
      return kFp8;
    case Element::bf8:
      return kBf8;
    case Element::fp6:
      return kFp6;
    case Element::bf6:
      return kBf6;
    default:
      return kFp4;
  }
}

/// One instruction: `count` elements of `from` become elements of `to`.
struct Conversion {
  std::string_view name;
  Element from;
  Element to;
  int count;
  int sources = 1;          ///< Registers groups that hold them: 2 when each half has its own operand.
  bool stochastic = false;  ///< A seed operand follows.
  bool scaled = false;  ///< A scale operand comes last: divides on the way down, multiplies on the way up.
};

using E = Element;
constexpr Conversion kConversions[] = {
    {"v_cvt_f32_fp8", E::fp8, E::f32, 1},
    {"v_cvt_f32_bf8", E::bf8, E::f32, 1},
    {"v_cvt_pk_f32_fp8", E::fp8, E::f32, 2},
    {"v_cvt_pk_f32_bf8", E::bf8, E::f32, 2},
    {"v_cvt_pk_fp8_f32", E::f32, E::fp8, 2, 2},
    {"v_cvt_pk_bf8_f32", E::f32, E::bf8, 2, 2},
    {"v_cvt_sr_fp8_f32", E::f32, E::fp8, 1, 1, true},
    {"v_cvt_sr_bf8_f32", E::f32, E::bf8, 1, 1, true},
    {"v_cvt_sr_f16_f32", E::f32, E::f16, 1, 1, true},
    {"v_cvt_sr_bf16_f32", E::f32, E::bf16, 1, 1, true},
    {"v_cvt_scalef32_f32_fp8", E::fp8, E::f32, 1, 1, false, true},
    {"v_cvt_scalef32_f32_bf8", E::bf8, E::f32, 1, 1, false, true},
    {"v_cvt_scalef32_f16_fp8", E::fp8, E::f16, 1, 1, false, true},
    {"v_cvt_scalef32_f16_bf8", E::bf8, E::f16, 1, 1, false, true},
    {"v_cvt_scalef32_pk_f32_fp8", E::fp8, E::f32, 2, 1, false, true},
    {"v_cvt_scalef32_pk_f32_bf8", E::bf8, E::f32, 2, 1, false, true},
    {"v_cvt_scalef32_pk_f16_fp8", E::fp8, E::f16, 2, 1, false, true},
    {"v_cvt_scalef32_pk_f16_bf8", E::bf8, E::f16, 2, 1, false, true},
    {"v_cvt_scalef32_pk_bf16_fp8", E::fp8, E::bf16, 2, 1, false, true},
    {"v_cvt_scalef32_pk_bf16_bf8", E::bf8, E::bf16, 2, 1, false, true},
    {"v_cvt_scalef32_pk_fp8_f32", E::f32, E::fp8, 2, 2, false, true},
    {"v_cvt_scalef32_pk_bf8_f32", E::f32, E::bf8, 2, 2, false, true},
    {"v_cvt_scalef32_pk_fp8_f16", E::f16, E::fp8, 2, 1, false, true},
    {"v_cvt_scalef32_pk_bf8_f16", E::f16, E::bf8, 2, 1, false, true},
    {"v_cvt_scalef32_pk_fp8_bf16", E::bf16, E::fp8, 2, 1, false, true},
    {"v_cvt_scalef32_pk_bf8_bf16", E::bf16, E::bf8, 2, 1, false, true},
    {"v_cvt_scalef32_sr_fp8_f32", E::f32, E::fp8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_bf8_f32", E::f32, E::bf8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_fp8_f16", E::f16, E::fp8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_bf8_f16", E::f16, E::bf8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_fp8_bf16", E::bf16, E::fp8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_bf8_bf16", E::bf16, E::bf8, 1, 1, true, true},
    {"v_cvt_scalef32_sr_pk_fp4_f32", E::f32, E::fp4, 2, 1, true, true},
    {"v_cvt_scalef32_sr_pk_fp4_f16", E::f16, E::fp4, 2, 1, true, true},
    {"v_cvt_scalef32_sr_pk_fp4_bf16", E::bf16, E::fp4, 2, 1, true, true},
    {"v_cvt_scalef32_pk32_f32_fp6", E::fp6, E::f32, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_f32_bf6", E::bf6, E::f32, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_f16_fp6", E::fp6, E::f16, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_f16_bf6", E::bf6, E::f16, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_bf16_fp6", E::fp6, E::bf16, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_bf16_bf6", E::bf6, E::bf16, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_fp6_f16", E::f16, E::fp6, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_bf6_f16", E::f16, E::bf6, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_fp6_bf16", E::bf16, E::fp6, 32, 1, false, true},
    {"v_cvt_scalef32_pk32_bf6_bf16", E::bf16, E::bf6, 32, 1, false, true},
    {"v_cvt_scalef32_2xpk16_fp6_f32", E::f32, E::fp6, 32, 2, false, true},
    {"v_cvt_scalef32_2xpk16_bf6_f32", E::f32, E::bf6, 32, 2, false, true},
    {"v_cvt_scalef32_sr_pk32_fp6_f32", E::f32, E::fp6, 32, 1, true, true},
    {"v_cvt_scalef32_sr_pk32_bf6_f32", E::f32, E::bf6, 32, 1, true, true},
    {"v_cvt_scalef32_sr_pk32_fp6_f16", E::f16, E::fp6, 32, 1, true, true},
    {"v_cvt_scalef32_sr_pk32_bf6_f16", E::f16, E::bf6, 32, 1, true, true},
    {"v_cvt_scalef32_sr_pk32_fp6_bf16", E::bf16, E::fp6, 32, 1, true, true},
    {"v_cvt_scalef32_sr_pk32_bf6_bf16", E::bf16, E::bf6, 32, 1, true, true},
};

constexpr int kMaxElements = 32;
constexpr int registers_for(Element element, int count) {
  return (bits_of(element) * count + 31) / 32;
}

/// One lane's operands: the words of a source, wherever they lie.
struct LaneWords {
  std::array<uint32_t, kMaxElements + 1> words{};
};
uint32_t field(const LaneWords& lane, int at, int bits) {
  const uint64_t pair = lane.words[at / 32] | uint64_t{lane.words[at / 32 + 1]} << 32;
  return static_cast<uint32_t>((pair >> (at % 32)) & ((uint64_t{1} << bits) - 1));
}
void set_field(LaneWords& lane, int at, int bits, uint32_t value) {
  const uint64_t mask = ((uint64_t{1} << bits) - 1) << (at % 32);
  uint64_t pair = lane.words[at / 32] | uint64_t{lane.words[at / 32 + 1]} << 32;
  pair = (pair & ~mask) | (static_cast<uint64_t>(value) << (at % 32));
  lane.words[at / 32] = static_cast<uint32_t>(pair);
  lane.words[at / 32 + 1] = static_cast<uint32_t>(pair >> 32);
}

uint32_t source_word(const Wave& w, const Source& source, int reg, int lane) {
  uint32_t value = source.kind == SourceKind::vector ? w.row(static_cast<uint16_t>(source.reg + reg))[lane]
                                                     : read_scalar32(w, source);
  if (source.decoration != nullptr) {  // signs of an f32 source
    if (source.decoration->absolute) value &= 0x7fffffffU;
    if (source.decoration->negate) value ^= 0x80000000U;
  }
  return value;
}

double decode(Element element, uint32_t code) {
  switch (element) {
    case Element::f32:
      return std::bit_cast<float>(code);
    case Element::f16:
      return half_to_float(static_cast<uint16_t>(code));
    case Element::bf16:
      return brain_to_float(static_cast<uint16_t>(code));
    default:
      return decode_small(format_of(element), code);
  }
}

/// f32 to f16 or bf16, the seed added below the last kept bit.
uint32_t stochastic_half(Element to, float value, uint32_t seed) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (to == Element::bf16) {
    if (!std::isfinite(value)) return float_to_brain(value);
    return (bits + (seed >> 16)) >> 16;
  }
  if (!std::isfinite(value) || value == 0) return float_to_half(value);
  constexpr SmallFormat kHalf = {16, 5, 10, 15, SmallFormat::Specials::ieee};
  return encode_small(kHalf, value, {true, seed, false});
}

uint32_t encode(Element to, double value, const SmallRounding& rounding) {
  switch (to) {
    case Element::f32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case Element::f16:
      return rounding.stochastic ? stochastic_half(to, static_cast<float>(value), rounding.seed)
                                 : float_to_half(static_cast<float>(value));
    case Element::bf16:
      return rounding.stochastic ? stochastic_half(to, static_cast<float>(value), rounding.seed)
                                 : float_to_brain(static_cast<float>(value));
    default:
      return encode_small(format_of(to), value, rounding);
  }
}

/// MODE.FP16_OVFL: conversions to 8-bit formats saturate instead of overflowing.
constexpr uint32_t kModeOverflow = 1U << 23;

constexpr int fraction_bits(Element element) {
  switch (element) {
    case Element::f32:
      return 23;
    case Element::f16:
      return 10;
    case Element::bf16:
      return 7;
    case Element::fp8:
    case Element::fp6:
      return 3;
    case Element::bf8:
    case Element::bf6:
      return 2;
    case Element::fp4:
      return 1;
  }
  return 0;
}
/// Bits of the fraction that a conversion drops: as many bits of the seed count.
constexpr int dropped_bits(Element from, Element to) {
  return fraction_bits(from) - fraction_bits(to);
}

/// inst.offset: position of the source elements in their register, in bits; inst.offset2: of the results.
void convert(const Instruction& inst, Wave& w) {
  const Conversion& c = kConversions[inst.extra];
  const int from_bits = bits_of(c.from);
  const int to_bits = bits_of(c.to);
  const int per_source = c.count / c.sources;
  const int source_words = registers_for(c.from, per_source);
  const bool narrows = to_bits < from_bits;
  const Source& seed_source = inst.src[c.sources];
  const Source& scale_source = inst.src[c.sources + (c.stochastic ? 1 : 0)];
  SmallRounding rounding;
  rounding.stochastic = c.stochastic;
  rounding.saturate = c.scaled || (w.mode & kModeOverflow) != 0;
  rounding.nan = w.settings.narrow_nan;
  const bool interleaved = w.settings.two_sources_order == TwoSourcesOrder::interleaved;
  for (uint64_t left = w.exec(); left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    double factor = 1;
    if (c.scaled) {
      const auto field = static_cast<int>((source_word(w, scale_source, 0, lane) >> 23) & 0xffU);
      factor = std::ldexp(1.0, narrows ? 127 - field : field - 127);
      if (field == 255 && w.settings.conversion_scale_255 == ConversionScale255::nan)
        factor = std::numeric_limits<double>::quiet_NaN();
    }
    if (c.stochastic) {
      rounding.seed = source_word(w, seed_source, 0, lane);
      if (w.settings.stochastic_seed == StochasticSeed::low)
        rounding.seed <<= 32 - dropped_bits(c.from, c.to);
    }
    LaneWords result;
    for (int reg = 0; reg < inst.dst_rows; ++reg)
      result.words[reg] = w.row(static_cast<uint16_t>(inst.dst + reg))[lane];
    for (int s = 0; s < c.sources; ++s) {
      LaneWords words;
      for (int reg = 0; reg < source_words; ++reg) words.words[reg] = source_word(w, inst.src[s], reg, lane);
      for (int e = 0; e < per_source; ++e) {
        const double value = decode(c.from, field(words, inst.offset + e * from_bits, from_bits)) * factor;
        const int to = interleaved ? e * c.sources + s : s * per_source + e;
        set_field(result, inst.offset2 + to * to_bits, to_bits, encode(c.to, value, rounding));
      }
    }
    for (int reg = 0; reg < inst.dst_rows; ++reg)
      w.row(static_cast<uint16_t>(inst.dst + reg))[lane] = result.words[reg];
  }
}

/// Which of the places in a register op_sel names: with four places two bits, with two one.
int chosen_place(const BuildContext& context, int width, size_t first_item, size_t only_item) {
  const auto item = [&](size_t i) { return static_cast<int>(context.text.item("op_sel", i, 0)); };
  if (width >= 32) return 0;
  return width == 16 ? 16 * item(only_item) : width * (item(first_item) + 2 * item(first_item + 1));
}

/// SDWA forms name the source's place in words.
int sdwa_place(const BuildContext& context) {
  const TextModifier* select = context.text.find("src0_sel");
  if (select == nullptr || select->value == "DWORD") return 0;
  const int index = select->value.back() - '0';
  return index * (select->value.starts_with("BYTE") ? 8 : 16);
}

Status build(const BuildContext& context, Instruction& instruction) {
  const Conversion& c = kConversions[context.row.extra];
  const size_t operands = static_cast<size_t>(c.sources) + (c.stochastic ? 1 : 0) + (c.scaled ? 1 : 0);
  if (Status s = need_operands(context, operands + 1); !s.ok()) return s;
  if (Status s = build_destination(context, 0, registers_for(c.to, c.count), instruction); !s.ok()) return s;
  const int per_source = registers_for(c.from, c.count / c.sources);
  for (size_t i = 0; i < operands; ++i) {
    const TextOperand& operand = context.text.operands[i + 1];
    const bool is_data = i < static_cast<size_t>(c.sources);
    if (is_data && per_source > 1 && (!is_vector(operand) || operand.first + per_source > kFirstAgpr)) {
      return operand_error(context, i + 1, "should be vector registers");
    }
    const OperandType type = c.from == Element::f32 || !is_data ? OperandType::f32 : OperandType::b32;
    if (Status s = build_source(context, operand, type, instruction.src[i]); !s.ok()) return s;
  }
  if (c.count == kMaxElements) return {};
  const bool narrows = bits_of(c.to) < bits_of(c.from);
  instruction.offset = context.text.encoding == Encoding::sdwa ? sdwa_place(context)
                       : narrows ? 0
                                 : chosen_place(context, c.count * bits_of(c.from), 0, 0);
  instruction.offset2 = chosen_place(context, c.count * bits_of(c.to), 2, operands);
  return {};
}

std::vector<Row> make_rows() {
  std::vector<Row> rows;
  rows.reserve(std::size(kConversions));
  for (uint32_t i = 0; i < std::size(kConversions); ++i) {
    rows.push_back(
        {kConversions[i].name, &convert, &build, InstructionClass::vector_alu, OperandType::b32, {}, i});
  }
  return rows;
}

}  // namespace

std::span<const Row> vector_convert_narrow_rows() {
  static const std::vector<Row> rows = make_rows();
  return rows;
}

}  // namespace mxproof::emulator
