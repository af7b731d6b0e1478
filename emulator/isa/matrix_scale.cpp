// The scaled matrix instructions v_mfma[_scale]_f32_{16x16x128,32x32x64}_f8f6f4.
//
//   D[i][j] = C[i][j] + sum over blocks b of 2^(sA[i][b] - 127) * 2^(sB[b][j] - 127) * sum over 32 k of
//   A[i][k] * B[k][j]
//
// A lane holds 32 elements of one row of A (column of B), low bits first; lane i + M * b holds those of row
// i, block b, and the block's scale. The elements of 8-bit formats lie in another order, see Mfma8BitOrder.
// D[i][j] lies in lane j + M * g of register r. 16x16: i = 4 g + r. 32x32: i = 8 (r / 4) + 4 g + r % 4.
// Source: AMD matrix instruction calculator and LLVM documentation of gfx950; rounding inside is a named
// switch.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "emulator/isa/matrix_scale.cpp"
#include <hwy/foreach_target.h>
//
#include "emulator/isa/lanes-inl.hpp"
#include "emulator/isa/matrix_exact.hpp"
#include "emulator/isa/matrix_operand.hpp"
#include "emulator/isa/rows.hpp"

#if HWY_TARGET == HWY_AVX3_DL
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512vnni")  // part of this level, but not in Highway's own list
#else
HWY_BEFORE_NAMESPACE();
#endif
namespace mxproof::emulator::HWY_NAMESPACE {
namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;

template <int M>
constexpr int kBlocks = kLanes / M;
template <int M>
constexpr int kRegisters = M * M / kLanes;
template <int M>
HWY_INLINE int d_register(int i) {
  return M == 16 ? i % 4 : 4 * (i / 8) + i % 4;
}
template <int M>
HWY_INLINE int d_lane(int i) {
  return M == 16 ? 16 * (i / 4) : 32 * ((i / 4) % 2);
}

/// Scale bytes of all lanes; lane i + M * b belongs to row i, block b.
struct Scales {
  alignas(64) std::array<u32, kLanes> a;
  alignas(64) std::array<u32, kLanes> b;
};

HWY_INLINE void load_scale(const Instruction& inst, Wave& w, int slot, u32 byte,
                           std::array<u32, kLanes>& scale) {
  const Source& source = inst.src[slot];
  if (source.kind == SourceKind::none) {
    scale.fill(127);  // no scale operand: 1.0
    return;
  }
  if (source.kind != SourceKind::vector) {  // scalars and constants give bits 30:23
    scale.fill((read_scalar32(w, source) >> 23) & 0xffU);
    return;
  }
  const uint32_t* row = w.row(source.reg);
  MXPROOF_EACH_LANE {
    scale[lane] = (row[lane] >> (8 * byte)) & 0xffU;
  }
}

// ---- FP4 times FP4: exact integer dots ----

/// Twice the value of each code: -12..12. B is biased to be unsigned, as the byte dot instructions want it.
constexpr int kBias = 12;
constexpr int8_t kTwice[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

/// Four elements a dword: the even ones of a register, then the odd ones. The order of the 32 elements of a
/// block is free as long as A and B share it.
struct Codes {
  alignas(64) std::array<std::array<u32, kLanes>, 8> group;
};

HWY_INLINE void expand(const uint32_t* rows, int bias, Codes& codes) {
  alignas(16) int8_t table[16];
  for (int i = 0; i < 16; ++i) table[i] = static_cast<int8_t>(kTwice[i] + bias);
  const hn::CappedTag<uint8_t, 64> d8;
  const hn::CappedTag<uint32_t, 16> d32;
  constexpr int kStep = static_cast<int>(HWY_MIN(HWY_LANES(uint32_t), 16));
  const auto lookup = hn::LoadDup128(d8, reinterpret_cast<const uint8_t*>(table));
  const auto nibble = hn::Set(d8, 0xf);
  for (int r = 0; r < 4; ++r) {
    for (int lane = 0; lane < kLanes; lane += kStep) {
      const auto packed = hn::Load(d32, rows + r * kLanes + lane);
      const auto low = hn::And(hn::BitCast(d8, packed), nibble);
      const auto high = hn::And(hn::BitCast(d8, hn::ShiftRight<4>(packed)), nibble);
      hn::Store(hn::BitCast(d32, hn::TableLookupBytes(lookup, low)), d32, &codes.group[2 * r][lane]);
      hn::Store(hn::BitCast(d32, hn::TableLookupBytes(lookup, high)), d32, &codes.group[2 * r + 1][lane]);
    }
  }
}

/// Four signed bytes times four unsigned ones.
HWY_INLINE i32 dot4(u32 signed_bytes, u32 unsigned_bytes) {
  i32 sum = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    sum += static_cast<int8_t>(signed_bytes >> shift) * static_cast<i32>((unsigned_bytes >> shift) & 0xffU);
  }
  return sum;
}

/// What the bias of B adds to every column: minus it is where the dots start.
HWY_INLINE void bias_corrections(const Codes& a, std::array<i32, kLanes>& correction) {
  MXPROOF_EACH_LANE {
    i32 sum = 0;
    for (int g = 0; g < 8; ++g) sum += dot4(a.group[g][lane], 0x01010101U);
    correction[lane] = -kBias * sum;
  }
}

/// acc = rne32(acc + scale * dot) for 16 columns of one row.
HWY_INLINE void accumulate(const i32* HWY_RESTRICT dots, float row_scale,
                           const float* HWY_RESTRICT column_scale, float* HWY_RESTRICT acc) {
  for (int j = 0; j < 16; ++j) {
    const float scale = row_scale * column_scale[j];
#if HWY_TARGET <= HWY_AVX2
    acc[j] = __builtin_fmaf(static_cast<float>(dots[j]), scale, acc[j]);
#else
    // The same without a fused instruction: 13-bit integers times powers of two, added to an f32 in double,
    // round to f32 as if once.
    acc[j] = static_cast<float>(static_cast<double>(acc[j]) +
                                static_cast<double>(dots[j]) * static_cast<double>(scale));
#endif
  }
}

/// dots[j] = 4 * (block dot product of row `i` and column base + j) for 16 columns.
#if HWY_TARGET == HWY_AVX3_DL
struct Columns {
  __m512i group[8];
  HWY_INLINE void load(const Codes& b, int at) {
    for (int g = 0; g < 8; ++g) group[g] = _mm512_load_si512(&b.group[g][at]);
  }
  HWY_INLINE void dot(const Codes& a, int row, i32 start, i32* dots) const {
    __m512i even = _mm512_set1_epi32(start);
    __m512i odd = _mm512_setzero_si512();
    for (int g = 0; g < 8; g += 2) {
      even = _mm512_dpbusd_epi32(even, group[g], _mm512_set1_epi32(static_cast<i32>(a.group[g][row])));
      odd = _mm512_dpbusd_epi32(odd, group[g + 1], _mm512_set1_epi32(static_cast<i32>(a.group[g + 1][row])));
    }
    _mm512_store_si512(dots, _mm512_add_epi32(even, odd));
  }
};
#elif HWY_TARGET == HWY_AVX2
struct Columns {
  __m256i group[2][8];
  HWY_INLINE void load(const Codes& b, int at) {
    for (int half = 0; half < 2; ++half) {
      for (int g = 0; g < 8; ++g) {
        group[half][g] = _mm256_load_si256(reinterpret_cast<const __m256i*>(&b.group[g][at + 8 * half]));
      }
    }
  }
  /// 16-bit sums stay below 8 * 2 * 24 * 12.
  HWY_INLINE void dot(const Codes& a, int row, i32 start, i32* dots) const {
    for (int half = 0; half < 2; ++half) {
      __m256i sum = _mm256_setzero_si256();
      for (int g = 0; g < 8; ++g) {
        sum = _mm256_add_epi16(
            sum, _mm256_maddubs_epi16(group[half][g], _mm256_set1_epi32(static_cast<i32>(a.group[g][row]))));
      }
      const __m256i wide = _mm256_madd_epi16(sum, _mm256_set1_epi16(1));
      _mm256_store_si256(reinterpret_cast<__m256i*>(dots + 8 * half),
                         _mm256_add_epi32(wide, _mm256_set1_epi32(start)));
    }
  }
};
#else
struct Columns {
  const Codes* codes;
  int first;
  HWY_INLINE void load(const Codes& b, int at) {
    codes = &b;
    first = at;
  }
  HWY_INLINE void dot(const Codes& a, int row, i32 start, i32* dots) const {
    for (int j = 0; j < 16; ++j) {
      i32 sum = start;
      for (int g = 0; g < 8; ++g) sum += dot4(a.group[g][row], codes->group[g][first + j]);
      dots[j] = sum;
    }
  }
};
#endif

/// 2^(byte - 128): the factor 1/4 of doubled codes is shared between the two scales.
HWY_INLINE float half_scale(u32 byte) {
  return byte == 0 ? 0x1p-128F : byte == 1 ? 0x1p-127F : std::bit_cast<float>((byte - 1) << 23);
}

/// True when every product of two scales is a float, so that one fused multiply-add is exact.
HWY_INLINE bool scales_are_ordinary(const Scales& scales) {
  u32 low_a = 255;
  u32 low_b = 255;
  u32 high_a = 0;
  u32 high_b = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    low_a = HWY_MIN(low_a, scales.a[lane]);
    high_a = HWY_MAX(high_a, scales.a[lane]);
    low_b = HWY_MIN(low_b, scales.b[lane]);
    high_b = HWY_MAX(high_b, scales.b[lane]);
  }
  return high_a < 255 && high_b < 255 && low_a + low_b >= 256 - 149 && high_a + high_b <= 256 + 127;
}

/// The sequential model on ordinary scales. False when a NaN came up, which the general path settles.
template <int M>
HWY_INLINE bool multiply_fp4(const Instruction& inst, Wave& w, const Scales& scales) {
  Codes a;
  Codes b;
  expand(w.row(inst.src[kMatrixA].reg), 0, a);
  expand(w.row(inst.src[kMatrixB].reg), kBias, b);
  alignas(64) std::array<i32, kLanes> correction;
  bias_corrections(a, correction);
  alignas(64) std::array<float, kLanes> scale_a;
  alignas(64) std::array<float, kLanes> scale_b;
  MXPROOF_EACH_LANE {
    scale_a[lane] = half_scale(scales.a[lane]);
    scale_b[lane] = half_scale(scales.b[lane]);
  }
  alignas(64) float acc[M * M];
  const Source& c = inst.src[kMatrixC];
  for (int i = 0; i < M; ++i) {
    const uint32_t* from =
        c.kind == SourceKind::vector ? w.row(static_cast<uint16_t>(c.reg + d_register<M>(i))) : c.constant;
    std::memcpy(&acc[i * M], from + d_lane<M>(i), sizeof(float) * M);
  }
  for (int block = 0; block < kBlocks<M>; ++block) {
    for (int j = 0; j < M; j += 16) {
      Columns columns;
      columns.load(b, M * block + j);
      for (int i = 0; i < M; ++i) {
        alignas(64) i32 dots[16];
        columns.dot(a, M * block + i, correction[M * block + i], dots);
        accumulate(dots, scale_a[M * block + i], &scale_b[M * block + j], &acc[i * M + j]);
      }
    }
  }
  u32 nan = 0;
  for (int i = 0; i < M * M; ++i) nan |= acc[i] != acc[i] ? 1U : 0U;
  if (nan != 0) return false;
  for (int i = 0; i < M; ++i) {
    std::memcpy(w.row(static_cast<uint16_t>(inst.dst + d_register<M>(i))) + d_lane<M>(i), &acc[i * M],
                sizeof(float) * M);
  }
  return true;
}

template <int M>
void mfma_f8f6f4(const Instruction& inst, Wave& w) {
  Scales scales;
  const auto bytes = static_cast<u32>(inst.offset2);
  load_scale(inst, w, kScaleA, bytes & 3U, scales.a);
  load_scale(inst, w, kScaleB, bytes >> 2, scales.b);
  const u32 format_a = inst.extra & 7U;
  const u32 format_b = inst.extra >> 3;
  const bool fast = format_a == kFormatFp4 && format_b == kFormatFp4 &&
                    w.settings.mfma_accumulation == MfmaAccumulation::sequential &&
                    scales_are_ordinary(scales);
  if (HWY_LIKELY(fast) && HWY_LIKELY(multiply_fp4<M>(inst, w, scales))) return;
  multiply_exactly(inst, w, M, scales.a.data(), scales.b.data());
}

template <int M>
Status build(const BuildContext& context, Instruction& instruction) {
  const auto format_a = static_cast<u32>(context.text.item("cbsz", 0, 0));
  const auto format_b = static_cast<u32>(context.text.item("blgp", 0, 0));
  if (format_a > kFormatFp4 || format_b > kFormatFp4) return Status::bad_input("cbsz and blgp go up to 4");
  instruction.extra = format_a | format_b << 3;
  if (Status s = build_matrix(context, kRegisters<M>, format_registers(format_a), format_registers(format_b),
                              instruction);
      !s.ok()) {
    return s;
  }
  if (context.text.operands.size() < 6) return {};  // the form without scales
  for (int i = 0; i < 2; ++i) {
    if (Status s = build_source(context, context.text.operands[4 + i], OperandType::b32,
                                instruction.src[kScaleA + i]);
        !s.ok())
      return s;
  }
  const auto byte_of = [&](size_t operand) {
    return static_cast<int32_t>(context.text.item("op_sel", operand, 0) |
                                context.text.item("op_sel_hi", operand, 1) << 1);
  };
  instruction.offset2 = byte_of(0) | byte_of(1) << 2;
  return {};
}

template <int M>
constexpr Row row(std::string_view name) {
  return {name, &mfma_f8f6f4<M>, &build<M>, InstructionClass::matrix, OperandType::f32};
}

constexpr Row kRows[] = {
    row<16>("v_mfma_scale_f32_16x16x128_f8f6f4"),
    row<32>("v_mfma_scale_f32_32x32x64_f8f6f4"),
    row<16>("v_mfma_f32_16x16x128_f8f6f4"),
    row<32>("v_mfma_f32_32x32x64_f8f6f4"),
};

}  // namespace

std::span<const Row> matrix_scale_rows() {
  return kRows;
}

}  // namespace mxproof::emulator::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxproof::emulator {
HWY_EXPORT(matrix_scale_rows);
std::span<const Row> matrix_scale_rows() {
  return HWY_DYNAMIC_DISPATCH(matrix_scale_rows)();
}
}  // namespace mxproof::emulator
#endif
