#include "emulator/isa/matrix_exact.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "emulator/isa/matrix_model.hpp"
#include "emulator/isa/matrix_operand.hpp"

namespace mxproof::emulator {
namespace {

/// A small float format: sign, exponent, fraction; elements are integers in units of its smallest subnormal.
struct Format {
  int bits;
  int exponent_bits;
  int fraction_bits;
  int bias;
  enum class Specials : uint8_t { none, nan_only, ieee } specials;
  /// Exponent of the unit.
  constexpr int unit() const { return 1 - bias - fraction_bits; }
};
constexpr std::array<Format, 5> kFormats = {{
    {8, 4, 3, 7, Format::Specials::nan_only},
    {8, 5, 2, 15, Format::Specials::ieee},
    {6, 2, 3, 1, Format::Specials::none},
    {6, 3, 2, 3, Format::Specials::none},
    {4, 2, 1, 1, Format::Specials::none},
}};

struct Element {
  int64_t units = 0;
  BlockSum::Special special = BlockSum::Special::finite;
};

Element decode(const Format& format, uint32_t code) {
  const uint32_t fraction = code & ((1U << format.fraction_bits) - 1U);
  const uint32_t exponent = (code >> format.fraction_bits) & ((1U << format.exponent_bits) - 1U);
  const bool negative = (code >> (format.bits - 1)) != 0;
  const uint32_t top = (1U << format.exponent_bits) - 1U;
  Element element;
  if (format.specials == Format::Specials::nan_only && exponent == top &&
      fraction == (1U << format.fraction_bits) - 1U) {
    element.special = BlockSum::Special::nan;
  } else if (format.specials == Format::Specials::ieee && exponent == top) {
    element.special = fraction != 0 ? BlockSum::Special::nan
                      : negative    ? BlockSum::Special::negative_infinity
                                    : BlockSum::Special::positive_infinity;
  } else {
    const int64_t significand = exponent == 0 ? fraction : fraction | 1U << format.fraction_bits;
    const int64_t units = significand << (exponent == 0 ? 0 : exponent - 1);
    element.units = negative ? -units : units;
  }
  return element;
}

using Block = std::array<Element, 32>;

/// The 32 elements of a lane, packed from bit 0 of its first register up.
Block load_lane(const Wave& w, uint16_t reg, int lane, uint32_t format_id) {
  const Format& format = kFormats[format_id];
  std::array<uint32_t, 9> words{};
  for (int r = 0; r < format_registers(format_id); ++r)
    words[r] = w.row(static_cast<uint16_t>(reg + r))[lane];
  Block block;
  for (int e = 0; e < 32; ++e) {
    const int bit = e * format.bits;
    const uint64_t pair = words[bit / 32] | uint64_t{words[bit / 32 + 1]} << 32;
    block[e] = decode(format, static_cast<uint32_t>(pair >> (bit % 32)) & ((1U << format.bits) - 1U));
  }
  return block;
}

/// The K of element `e` in lane group `group`.
int k_of(const Wave& w, uint32_t format_id, int groups, int group, int e) {
  const bool interleaved =
      format_id <= kFormatBf8 && w.settings.mfma_8bit_order == Mfma8BitOrder::interleaved;
  return interleaved ? 16 * groups * (e / 16) + 16 * group + e % 16 : 32 * group + e;
}

/// An operand by blocks of 32 consecutive K: block b of row i at [i + m * b], the lane that holds its scale.
std::vector<Block> load_blocks(const Wave& w, uint16_t reg, int m, uint32_t format_id) {
  const int groups = kLanes / m;
  std::vector<Block> blocks(kLanes);
  for (int lane = 0; lane < kLanes; ++lane) {
    const Block elements = load_lane(w, reg, lane, format_id);
    for (int e = 0; e < 32; ++e) {
      const int k = k_of(w, format_id, groups, lane / m, e);
      blocks[lane % m + m * (k / 32)][k % 32] = elements[e];
    }
  }
  return blocks;
}

bool has_special(const Block& block) {
  for (const Element& element : block) {
    if (element.special != BlockSum::Special::finite) return true;
  }
  return false;
}

BlockSum::Special product_special(const Element& a, const Element& b) {
  using S = BlockSum::Special;
  if (a.special == S::finite && b.special == S::finite) return S::finite;
  if (a.special == S::nan || b.special == S::nan) return S::nan;
  const auto sign = [](const Element& e) {
    return e.special == S::positive_infinity   ? 1
           : e.special == S::negative_infinity ? -1
           : e.units > 0                       ? 1
           : e.units < 0                       ? -1
                                               : 0;
  };
  const int s = sign(a) * sign(b);
  return s == 0 ? S::nan : s > 0 ? S::positive_infinity : S::negative_infinity;
}

BlockSum dot(const Block& a, const Block& b) {
  using S = BlockSum::Special;
  BlockSum sum;
  bool plus = false;
  bool minus = false;
  for (int e = 0; e < 32; ++e) {
    const S special = product_special(a[e], b[e]);
    if (special == S::nan) {
      sum.special = S::nan;
      return sum;
    }
    plus |= special == S::positive_infinity;
    minus |= special == S::negative_infinity;
    sum.significand += static_cast<__int128>(a[e].units) * b[e].units;
  }
  if (plus || minus)
    sum.special = plus && minus ? S::nan : plus ? S::positive_infinity : S::negative_infinity;
  return sum;
}

BlockSum finite_dot(const Block& a, const Block& b) {
  BlockSum sum;
  for (int e = 0; e < 32; ++e) sum.significand += static_cast<__int128>(a[e].units) * b[e].units;
  return sum;
}

}  // namespace

void multiply_exactly(const Instruction& inst, Wave& w, int m, const uint32_t* scale_a,
                      const uint32_t* scale_b) {
  const uint32_t format_a = inst.extra & 7U;
  const uint32_t format_b = inst.extra >> 3;
  const std::vector<Block> a = load_blocks(w, inst.src[kMatrixA].reg, m, format_a);
  const std::vector<Block> b = load_blocks(w, inst.src[kMatrixB].reg, m, format_b);
  bool special = false;
  for (int lane = 0; lane < kLanes; ++lane) special |= has_special(a[lane]) || has_special(b[lane]);
  const int units = kFormats[format_a].unit() + kFormats[format_b].unit() - 2 * 127;
  const int blocks = kLanes / m;
  const Source& c = inst.src[kMatrixC];
  std::vector<float> d(static_cast<size_t>(m) * m);
  const auto d_place = [m](int i, int j, int& reg, int& lane) {
    reg = m == 16 ? i % 4 : 4 * (i / 8) + i % 4;
    lane = j + (m == 16 ? 16 * (i / 4) : 32 * ((i / 4) % 2));
  };
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      std::array<BlockSum, 4> sums;
      for (int k = 0; k < blocks; ++k) {
        const uint32_t sa = scale_a[i + m * k];
        const uint32_t sb = scale_b[j + m * k];
        sums[k] = special ? dot(a[i + m * k], b[j + m * k]) : finite_dot(a[i + m * k], b[j + m * k]);
        sums[k].exponent = units + static_cast<int>(sa + sb);
        if (sa == 255 || sb == 255) sums[k].special = BlockSum::Special::nan;
      }
      int reg = 0;
      int lane = 0;
      d_place(i, j, reg, lane);
      const uint32_t bits = c.kind == SourceKind::vector ? w.row(static_cast<uint16_t>(c.reg + reg))[lane]
                                                         : read_scalar32(w, c);
      d[static_cast<size_t>(i) * m + j] = accumulate_blocks(
          w.settings.mfma_accumulation, std::bit_cast<float>(bits), std::span(sums).first(blocks));
    }
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      int reg = 0;
      int lane = 0;
      d_place(i, j, reg, lane);
      const float value = d[static_cast<size_t>(i) * m + j];
      const bool negative_nan = value != value && w.settings.mfma_nan == MfmaNan::negative;
      w.row(static_cast<uint16_t>(inst.dst + reg))[lane] =
          std::bit_cast<uint32_t>(value) | (negative_nan ? 0x80000000U : 0U);
    }
  }
}

}  // namespace mxproof::emulator
