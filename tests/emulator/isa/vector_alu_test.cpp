// Vector ALU instructions, one by one, against arithmetic written another way: wide integers, std::fma, long
// double.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>

#include "tests/emulator/support/operands.hpp"
#include "tests/emulator/support/test_wave.hpp"

namespace mxproof::emulator {
namespace {

using U = uint64_t;
using S = int64_t;

/// v[0:1], v[2:3], v[4:5] hold the sources; v[6:7] receives the result.
struct Case {
  std::string text;
  bool wide;  ///< 64-bit result.
  std::function<U(U, U, U)> expected;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.text;
}

std::string name_of(const Case& c) {
  std::string name = c.text;
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name;
}

class VectorAlu : public ::testing::TestWithParam<Case> {};

constexpr int kRounds = 12;

TEST_P(VectorAlu, EqualsIndependentArithmetic) {
  const Case& c = GetParam();
  const uint32_t seed = 4711;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Operands operands(seed);
  TestWave wave;
  for (int round = 0; round < kRounds; ++round) {
    U source[3][64];
    for (int i = 0; i < 3; ++i) {
      for (int lane = 0; lane < 64; ++lane) {
        source[i][lane] = operands.next();
        wave.set_v64(2 * i, lane, source[i][lane]);
        wave.set_v64(6, lane, 0x1122334455667788);
      }
    }
    ASSERT_EQ(wave.run(c.text), "");
    for (int lane = 0; lane < 64; ++lane) {
      const U expected = c.expected(source[0][lane], source[1][lane], source[2][lane]);
      const U got = c.wide ? wave.v64(6, lane) : wave.v(6, lane);
      ASSERT_EQ(got, c.wide ? expected : expected & 0xffffffff)
          << std::hex << c.text << " of " << source[0][lane] << ", " << source[1][lane] << ", "
          << source[2][lane];
    }
  }
}

// ---- Helpers of the expected values ----

S s32(U a) {
  return static_cast<int32_t>(a);
}
U u32(U a) {
  return a & 0xffffffff;
}
S s16(U a) {
  return static_cast<int16_t>(a);
}
U u16(U a) {
  return a & 0xffff;
}
float f32(U a) {
  return std::bit_cast<float>(static_cast<uint32_t>(a));
}
double f64(U a) {
  return std::bit_cast<double>(a);
}
U bits(float a) {
  return std::bit_cast<uint32_t>(a);
}
U bits(double a) {
  return std::bit_cast<uint64_t>(a);
}
S clamp(S value, S low, S high) {
  return std::min(std::max(value, low), high);
}

/// The first NaN, quiet; the default NaN when an operation made one of numbers.
U settle(float result, std::initializer_list<U> sources) {
  if (!std::isnan(result)) return bits(result);
  for (const U source : sources) {
    if (std::isnan(f32(source))) return u32(source) | 0x400000;
  }
  return 0x7fc00000;
}
U settle(double result, std::initializer_list<U> sources) {
  if (!std::isnan(result)) return bits(result);
  for (const U source : sources) {
    if (std::isnan(f64(source))) return source | 0x8000000000000;
  }
  return 0x7ff8000000000000;
}
/// minNum and maxNum by the total order of sign-magnitude integers.
U min_max(U a, U b, bool maximum) {
  const auto is_nan = [](U x) { return (x & 0x7fffffff) > 0x7f800000; };
  const auto is_signalling = [&](U x) { return is_nan(x) && (x & 0x400000) == 0; };
  if (is_signalling(a)) return a | 0x400000;
  if (is_signalling(b)) return b | 0x400000;
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  const auto order = [](U x) {
    return (x >> 31) != 0 ? -static_cast<S>(x & 0x7fffffff) - 1 : static_cast<S>(x);
  };
  return (order(a) < order(b)) != maximum ? a : b;
}
U low_min(U a, U b) {
  return min_max(u32(a), u32(b), false);
}
U low_max(U a, U b) {
  return min_max(u32(a), u32(b), true);
}

const Case kIntegers[] = {
    {"v_mov_b32 v6, v0", false, [](U a, U, U) { return a; }},
    {"v_mov_b64 v[6:7], v[0:1]", true, [](U a, U, U) { return a; }},
    {"v_mov_b32 v6, 0.15915494", false, [](U, U, U) { return U{0x3e22f983}; }},
    {"v_mov_b32 v6, -16", false, [](U, U, U) { return U{0xfffffff0}; }},
    {"v_mov_b32 v6, 0x12345678", false, [](U, U, U) { return U{0x12345678}; }},
    {"v_not_b32 v6, v0", false, [](U a, U, U) { return ~a; }},
    {"v_and_b32 v6, v0, v2", false, [](U a, U b, U) { return a & b; }},
    {"v_or_b32 v6, v0, v2", false, [](U a, U b, U) { return a | b; }},
    {"v_xor_b32 v6, v0, v2", false, [](U a, U b, U) { return a ^ b; }},
    {"v_xnor_b32 v6, v0, v2", false, [](U a, U b, U) { return ~(a ^ b); }},
    {"v_or3_b32 v6, v0, v2, v4", false, [](U a, U b, U c) { return a | b | c; }},
    {"v_and_or_b32 v6, v0, v2, v4", false, [](U a, U b, U c) { return (a & b) | c; }},
    {"v_bfi_b32 v6, v0, v2, v4", false, [](U a, U b, U c) { return (a & b) | (~a & c); }},
    {"v_bitop3_b32 v6, v0, v2, v4 bitop3:0x96", false, [](U a, U b, U c) { return a ^ b ^ c; }},
    {"v_bitop3_b32 v6, v0, v2, v4 bitop3:0x40", false, [](U a, U b, U c) { return a & b & ~c; }},
    {"v_bitop3_b32 v6, v0, v2, v4 bitop3:0xca", false, [](U a, U b, U c) { return (a & b) | (~a & c); }},
    {"v_bitop3_b16 v6, v0, v2, v4 bitop3:0x96", false, [](U a, U b, U c) { return u16(a ^ b ^ c); }},
    {"v_add_u32 v6, v0, v2", false, [](U a, U b, U) { return a + b; }},
    {"v_sub_u32 v6, v0, v2", false, [](U a, U b, U) { return a - b; }},
    {"v_subrev_u32 v6, v0, v2", false, [](U a, U b, U) { return b - a; }},
    {"v_add_u32 v6, v0, v2 clamp", false,
     [](U a, U b, U) { return std::min<U>(u32(a) + u32(b), 0xffffffff); }},
    {"v_sub_u32 v6, v0, v2 clamp", false, [](U a, U b, U) { return u32(a) > u32(b) ? u32(a) - u32(b) : 0; }},
    {"v_add_i32 v6, v0, v2", false, [](U a, U b, U) { return a + b; }},
    {"v_add_i32 v6, v0, v2 clamp", false,
     [](U a, U b, U) { return static_cast<U>(clamp(s32(a) + s32(b), INT32_MIN, INT32_MAX)); }},
    {"v_sub_i32 v6, v0, v2 clamp", false,
     [](U a, U b, U) { return static_cast<U>(clamp(s32(a) - s32(b), INT32_MIN, INT32_MAX)); }},
    {"v_add3_u32 v6, v0, v2, v4", false, [](U a, U b, U c) { return a + b + c; }},
    {"v_lshl_add_u32 v6, v0, v2, v4", false, [](U a, U b, U c) { return (a << (b % 32)) + c; }},
    {"v_add_lshl_u32 v6, v0, v2, v4", false, [](U a, U b, U c) { return u32(a + b) << (c % 32); }},
    {"v_lshl_or_b32 v6, v0, v2, v4", false, [](U a, U b, U c) { return (a << (b % 32)) | c; }},
    {"v_xad_u32 v6, v0, v2, v4", false, [](U a, U b, U c) { return (a ^ b) + c; }},
    {"v_min_i32 v6, v0, v2", false, [](U a, U b, U) { return static_cast<U>(std::min(s32(a), s32(b))); }},
    {"v_max_i32 v6, v0, v2", false, [](U a, U b, U) { return static_cast<U>(std::max(s32(a), s32(b))); }},
    {"v_min_u32 v6, v0, v2", false, [](U a, U b, U) { return std::min(u32(a), u32(b)); }},
    {"v_max_u32 v6, v0, v2", false, [](U a, U b, U) { return std::max(u32(a), u32(b)); }},
    {"v_min3_i32 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return static_cast<U>(std::min({s32(a), s32(b), s32(c)})); }},
    {"v_max3_u32 v6, v0, v2, v4", false, [](U a, U b, U c) { return std::max({u32(a), u32(b), u32(c)}); }},
    {"v_med3_i32 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       S x[3] = {s32(a), s32(b), s32(c)};
       std::sort(x, x + 3);
       return static_cast<U>(x[1]);
     }},
    {"v_med3_u32 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       U x[3] = {u32(a), u32(b), u32(c)};
       std::sort(x, x + 3);
       return x[1];
     }},
    {"v_lshlrev_b32 v6, v0, v2", false, [](U a, U b, U) { return b << (a % 32); }},
    {"v_lshrrev_b32 v6, v0, v2", false, [](U a, U b, U) { return u32(b) >> (a % 32); }},
    {"v_ashrrev_i32 v6, v0, v2", false, [](U a, U b, U) { return static_cast<U>(s32(b) >> (a % 32)); }},
    {"v_lshlrev_b64 v[6:7], v0, v[2:3]", true, [](U a, U b, U) { return b << (a % 64); }},
    {"v_lshrrev_b64 v[6:7], v0, v[2:3]", true, [](U a, U b, U) { return b >> (a % 64); }},
    {"v_ashrrev_i64 v[6:7], v0, v[2:3]", true,
     [](U a, U b, U) { return static_cast<U>(static_cast<S>(b) >> (a % 64)); }},
    {"v_lshl_add_u64 v[6:7], v[0:1], 3, v[4:5]", true, [](U a, U, U c) { return a * 8 + c; }},
    {"v_bfm_b32 v6, v0, v2", false, [](U a, U b, U) { return ((U{1} << (a % 32)) - 1) << (b % 32); }},
    {"v_bfe_u32 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return (u32(a) >> (b % 32)) % (U{1} << (c % 32)); }},
    {"v_bfe_i32 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       const int width = static_cast<int>(c % 32);
       if (width == 0) return U{0};
       return static_cast<U>((s32(a) >> (b % 32)) << (64 - width) >> (64 - width));
     }},
    {"v_alignbit_b32 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return (u32(a) << 32 | u32(b)) >> (c % 32); }},
    {"v_alignbyte_b32 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return (u32(a) << 32 | u32(b)) >> (8 * (c % 4)); }},
    {"v_bfrev_b32 v6, v0", false,
     [](U a, U, U) {
       U r = 0;
       for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
       return r;
     }},
    {"v_bcnt_u32_b32 v6, v0, v2", false,
     [](U a, U b, U) { return static_cast<U>(__builtin_popcountll(u32(a))) + b; }},
    {"v_ffbl_b32 v6, v0", false,
     [](U a, U, U) { return u32(a) == 0 ? ~U{0} : static_cast<U>(__builtin_ctzll(u32(a))); }},
    {"v_ffbh_u32 v6, v0", false,
     [](U a, U, U) { return u32(a) == 0 ? ~U{0} : static_cast<U>(__builtin_clzll(u32(a)) - 32); }},
    {"v_ffbh_i32 v6, v0", false,
     [](U a, U, U) {
       const U sign = u32(a) >> 31;
       for (int i = 1; i < 32; ++i) {
         if ((u32(a) >> (31 - i) & 1) != sign) return static_cast<U>(i);
       }
       return ~U{0};
     }},
    {"v_mul_lo_u32 v6, v0, v2", false, [](U a, U b, U) { return a * b; }},
    {"v_mul_hi_u32 v6, v0, v2", false, [](U a, U b, U) { return (u32(a) * u32(b)) >> 32; }},
    {"v_mul_hi_i32 v6, v0, v2", false, [](U a, U b, U) { return static_cast<U>((s32(a) * s32(b)) >> 32); }},
    {"v_mul_u32_u24 v6, v0, v2", false, [](U a, U b, U) { return (a & 0xffffff) * (b & 0xffffff); }},
    {"v_mul_i32_i24 v6, v0, v2", false,
     [](U a, U b, U) {
       return static_cast<U>((static_cast<S>(a << 40) >> 40) * (static_cast<S>(b << 40) >> 40));
     }},
    {"v_mul_hi_u32_u24 v6, v0, v2", false,
     [](U a, U b, U) { return ((a & 0xffffff) * (b & 0xffffff)) >> 32; }},
    {"v_mad_u32_u24 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return (a & 0xffffff) * (b & 0xffffff) + c; }},
    {"v_perm_b32 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       U r = 0;
       for (int i = 0; i < 4; ++i) {
         const U select = c >> (8 * i) & 0xff;
         U byte = 0;
         if (select < 8) byte = (select < 4 ? b >> (8 * select) : a >> (8 * (select - 4))) & 0xff;
         if (select == 8) byte = (b >> 15 & 1) * 0xff;
         if (select == 9) byte = (b >> 31 & 1) * 0xff;
         if (select == 10) byte = (a >> 15 & 1) * 0xff;
         if (select == 11) byte = (a >> 31 & 1) * 0xff;
         if (select > 12) byte = 0xff;
         r |= byte << (8 * i);
       }
       return r;
     }},
    {"v_sad_u32 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       return static_cast<U>(std::llabs(static_cast<S>(u32(a)) - static_cast<S>(u32(b)))) + c;
     }},
    {"v_add_u16 v6, v0, v2", false, [](U a, U b, U) { return u16(a + b); }},
    {"v_sub_u16 v6, v0, v2", false, [](U a, U b, U) { return u16(a - b); }},
    {"v_mul_lo_u16 v6, v0, v2", false, [](U a, U b, U) { return u16(a * b); }},
    {"v_lshlrev_b16 v6, v0, v2", false, [](U a, U b, U) { return u16(b << (a % 16)); }},
    {"v_ashrrev_i16 v6, v0, v2", false, [](U a, U b, U) { return u16(static_cast<U>(s16(b) >> (a % 16))); }},
    {"v_max_i16 v6, v0, v2", false,
     [](U a, U b, U) { return u16(static_cast<U>(std::max(s16(a), s16(b)))); }},
    {"v_mad_u16 v6, v0, v2, v4", false, [](U a, U b, U c) { return 0x55660000 | u16(a * b + c); }},
    {"v_mad_u32_u16 v6, v0, v2, v4 op_sel:[1,0,0,0]", false,
     [](U a, U b, U c) { return u16(a >> 16) * u16(b) + c; }},
    {"v_mad_i32_i16 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return static_cast<U>(s16(a) * s16(b)) + c; }},
};
INSTANTIATE_TEST_SUITE_P(Integers, VectorAlu, ::testing::ValuesIn(kIntegers),
                         [](const auto& param) { return name_of(param.param); });

const Case kFloats[] = {
    {"v_add_f32 v6, v0, v2", false, [](U a, U b, U) { return settle(f32(a) + f32(b), {a, b}); }},
    {"v_sub_f32 v6, v0, v2", false, [](U a, U b, U) { return settle(f32(a) - f32(b), {a, b}); }},
    {"v_subrev_f32 v6, v0, v2", false, [](U a, U b, U) { return settle(f32(b) - f32(a), {a, b}); }},
    {"v_mul_f32 v6, v0, v2", false, [](U a, U b, U) { return settle(f32(a) * f32(b), {a, b}); }},
    {"v_mul_f32 v6, -v0, |v2|", false,
     [](U a, U b, U) { return settle(-f32(a) * std::fabs(f32(b)), {a ^ 0x80000000, b & ~U{0x80000000}}); }},
    {"v_fma_f32 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return settle(std::fma(f32(a), f32(b), f32(c)), {a, b, c}); }},
    {"v_fma_f32 v6, v0, v2, -|v4|", false,
     [](U a, U b, U c) {
       return settle(std::fma(f32(a), f32(b), -std::fabs(f32(c))), {a, b, c | 0x80000000});
     }},
    {"v_fmac_f32 v6, v0, v2", false,
     [](U a, U b, U) { return settle(std::fma(f32(a), f32(b), f32(0x55667788)), {a, b}); }},
    {"v_fmamk_f32 v6, v0, 0x41200000, v2", false,
     [](U a, U b, U) { return settle(std::fma(f32(a), 10.0F, f32(b)), {a, b}); }},
    {"v_fmaak_f32 v6, v0, v2, 0x41200000", false,
     [](U a, U b, U) { return settle(std::fma(f32(a), f32(b), 10.0F), {a, b}); }},
    {"v_min_f32 v6, v0, v2", false, [](U a, U b, U) { return low_min(a, b); }},
    {"v_max_f32 v6, v0, v2", false, [](U a, U b, U) { return low_max(a, b); }},
    {"v_min3_f32 v6, v0, v2, v4", false, [](U a, U b, U c) { return low_min(low_min(a, b), c); }},
    {"v_max3_f32 v6, v0, v2, v4", false, [](U a, U b, U c) { return low_max(low_max(a, b), c); }},
    {"v_add_f32 v6, v0, v2 clamp", false,
     [](U a, U b, U) {
       const float sum = f32(a) + f32(b);
       return bits(std::isnan(sum) || sum <= 0 ? 0.0F : std::min(sum, 1.0F));
     }},
    {"v_trunc_f32 v6, v0", false, [](U a, U, U) { return settle(std::trunc(f32(a)), {a}); }},
    {"v_ceil_f32 v6, v0", false, [](U a, U, U) { return settle(std::ceil(f32(a)), {a}); }},
    {"v_floor_f32 v6, v0", false, [](U a, U, U) { return settle(std::floor(f32(a)), {a}); }},
    {"v_rndne_f32 v6, v0", false, [](U a, U, U) { return settle(std::nearbyint(f32(a)), {a}); }},
    {"v_ldexp_f32 v6, v0, v2", false,
     [](U a, U b, U) {
       return settle(std::ldexp(f32(a), static_cast<int>(clamp(s32(b), -1000, 1000))), {a});
     }},
    {"v_frexp_mant_f32 v6, v0", false,
     [](U a, U, U) {
       int e = 0;
       return settle(std::isfinite(f32(a)) ? std::frexp(f32(a), &e) : f32(a), {a});
     }},
    {"v_frexp_exp_i32_f32 v6, v0", false,
     [](U a, U, U) {
       int e = 0;
       if (std::isfinite(f32(a))) (void)std::frexp(f32(a), &e);
       return static_cast<U>(static_cast<S>(e));
     }},
    {"v_add_f64 v[6:7], v[0:1], v[2:3]", true, [](U a, U b, U) { return settle(f64(a) + f64(b), {a, b}); }},
    {"v_mul_f64 v[6:7], v[0:1], -v[2:3]", true,
     [](U a, U b, U) { return settle(f64(a) * -f64(b), {a, b ^ 0x8000000000000000}); }},
    {"v_fma_f64 v[6:7], v[0:1], v[2:3], v[4:5]", true,
     [](U a, U b, U c) { return settle(std::fma(f64(a), f64(b), f64(c)), {a, b, c}); }},
    {"v_add_f64 v[6:7], v[0:1], 0.5", true, [](U a, U, U) { return settle(f64(a) + 0.5, {a}); }},
    {"v_ldexp_f64 v[6:7], v[0:1], v2", true,
     [](U a, U b, U) {
       return settle(std::ldexp(f64(a), static_cast<int>(clamp(s32(b), -5000, 5000))), {a});
     }},
    {"v_floor_f64 v[6:7], v[0:1]", true, [](U a, U, U) { return settle(std::floor(f64(a)), {a}); }},
    {"v_rndne_f64 v[6:7], v[0:1]", true, [](U a, U, U) { return settle(std::nearbyint(f64(a)), {a}); }},
    {"v_frexp_mant_f64 v[6:7], v[0:1]", true,
     [](U a, U, U) {
       int e = 0;
       return settle(std::isfinite(f64(a)) ? std::frexp(f64(a), &e) : f64(a), {a});
     }},
};
INSTANTIATE_TEST_SUITE_P(Floats, VectorAlu, ::testing::ValuesIn(kFloats), [](const auto& param) {
  return name_of(param.param) + "_" + std::to_string(param.index);
});

template <class To>
U converted(double a) {
  if (std::isnan(a)) return 0;
  const double low = static_cast<double>(std::numeric_limits<To>::min());
  const double high = static_cast<double>(std::numeric_limits<To>::max());
  return static_cast<U>(static_cast<S>(std::trunc(std::min(std::max(a, low), high))));
}
U halved(float a) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(a));
}
float from_half(U a) {
  return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(a)));
}
/// bf16 by rounding in double: 8 significant bits kept.
U brain(float a) {
  if (std::isnan(a)) return (bits(a) >> 16) | 0x40;
  if (std::isinf(a)) return bits(a) >> 16;
  int e = 0;
  (void)std::frexp(a, &e);
  const int place = std::max(e - 8, -133);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(static_cast<double>(a), -place)), place);
  const auto narrow = static_cast<float>(rounded);
  return bits(narrow == 0 ? std::copysign(0.0F, a) : narrow) >> 16;
}

const Case kConversions[] = {
    {"v_cvt_f32_i32 v6, v0", false, [](U a, U, U) { return bits(static_cast<float>(s32(a))); }},
    {"v_cvt_f32_u32 v6, v0", false, [](U a, U, U) { return bits(static_cast<float>(u32(a))); }},
    {"v_cvt_f64_i32 v[6:7], v0", true, [](U a, U, U) { return bits(static_cast<double>(s32(a))); }},
    {"v_cvt_f64_u32 v[6:7], v0", true, [](U a, U, U) { return bits(static_cast<double>(u32(a))); }},
    {"v_cvt_f32_ubyte2 v6, v0", false, [](U a, U, U) { return bits(static_cast<float>(a >> 16 & 0xff)); }},
    {"v_cvt_i32_f32 v6, v0", false, [](U a, U, U) { return converted<int32_t>(f32(a)); }},
    {"v_cvt_u32_f32 v6, v0", false, [](U a, U, U) { return converted<uint32_t>(f32(a)); }},
    {"v_cvt_i32_f64 v6, v[0:1]", false, [](U a, U, U) { return converted<int32_t>(f64(a)); }},
    {"v_cvt_u32_f64 v6, v[0:1]", false, [](U a, U, U) { return converted<uint32_t>(f64(a)); }},
    {"v_cvt_flr_i32_f32 v6, v0", false,
     [](U a, U, U) { return converted<int32_t>(std::floor(static_cast<double>(f32(a)))); }},
    {"v_cvt_f64_f32 v[6:7], v0", true,
     [](U a, U, U) {
       return std::isnan(f32(a)) ? U{0x7ff8000000000000} : bits(static_cast<double>(f32(a)));
     }},
    {"v_cvt_f32_f64 v6, v[0:1]", false,
     [](U a, U, U) { return std::isnan(f64(a)) ? U{0x7fc00000} : bits(static_cast<float>(f64(a))); }},
    {"v_cvt_f16_f32 v6, v0", false, [](U a, U, U) { return halved(f32(a)); }},
    {"v_cvt_f32_f16 v6, v0", false, [](U a, U, U) { return bits(from_half(a)); }},
    {"v_cvt_pk_bf16_f32 v6, v0, v2", false, [](U a, U b, U) { return brain(f32(a)) | brain(f32(b)) << 16; }},
    {"v_cvt_pk_u16_u32 v6, v0, v2", false,
     [](U a, U b, U) { return std::min<U>(u32(a), 0xffff) | std::min<U>(u32(b), 0xffff) << 16; }},
    {"v_cvt_pk_i16_i32 v6, v0, v2", false,
     [](U a, U b, U) {
       return u16(static_cast<U>(clamp(s32(a), -32768, 32767))) |
              u16(static_cast<U>(clamp(s32(b), -32768, 32767))) << 16;
     }},
};
INSTANTIATE_TEST_SUITE_P(Conversions, VectorAlu, ::testing::ValuesIn(kConversions),
                         [](const auto& param) { return name_of(param.param); });

U half_settle(_Float16 result, std::initializer_list<U> sources) {
  if (result == result) return std::bit_cast<uint16_t>(result);
  for (const U source : sources) {
    if (std::isnan(from_half(source))) return u16(source) | 0x200;
  }
  return 0x7e00;
}
_Float16 h(U a) {
  return std::bit_cast<_Float16>(static_cast<uint16_t>(a));
}
/// fma in long double, whose 64 bits hold product and sum of any three halves that matter, rounded once.
_Float16 half_fma(U a, U b, U c) {
  return static_cast<_Float16>(static_cast<long double>(h(a)) * static_cast<long double>(h(b)) +
                               static_cast<long double>(h(c)));
}
U each_half(U a, U b, U c, U (*f)(U, U, U)) {
  return f(u16(a), u16(b), u16(c)) | f(u16(a >> 16), u16(b >> 16), u16(c >> 16)) << 16;
}

const Case kHalves[] = {
    {"v_add_f16 v6, v0, v2", false, [](U a, U b, U) { return half_settle(h(a) + h(b), {a, b}); }},
    {"v_mul_f16 v6, v0, v2", false, [](U a, U b, U) { return half_settle(h(a) * h(b), {a, b}); }},
    {"v_fma_f16 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return 0x55660000 | half_settle(half_fma(a, b, c), {a, b, c}); }},
    {"v_fma_f16 v6, v0, v2, v4 op_sel:[1,0,1,1]", false,
     [](U a, U b, U c) {
       return 0x7788 | half_settle(half_fma(a >> 16, b, c >> 16), {a >> 16, b, c >> 16}) << 16;
     }},
    {"v_pk_add_f16 v6, v0, v2", false,
     [](U a, U b, U c) {
       return each_half(a, b, c, [](U x, U y, U) { return half_settle(h(x) + h(y), {x, y}); });
     }},
    {"v_pk_add_f16 v6, v0, v2 neg_lo:[0,1] neg_hi:[0,1]", false,
     [](U a, U b, U c) {
       return each_half(a, b ^ 0x80008000, c, [](U x, U y, U) { return half_settle(h(x) + h(y), {x, y}); });
     }},
    {"v_pk_fma_f16 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       return each_half(a, b, c, [](U x, U y, U z) { return half_settle(half_fma(x, y, z), {x, y, z}); });
     }},
    {"v_pk_mul_f16 v6, v0, v2 op_sel:[1,0] op_sel_hi:[0,0]", false,
     [](U a, U b, U) {
       return half_settle(h(a >> 16) * h(b), {a >> 16, b}) | half_settle(h(a) * h(b), {a, b}) << 16;
     }},
    {"v_pk_add_u16 v6, v0, v2", false,
     [](U a, U b, U c) { return each_half(a, b, c, [](U x, U y, U) { return u16(x + y); }); }},
    {"v_pk_max_u16 v6, v0, v2", false,
     [](U a, U b, U c) { return each_half(a, b, c, [](U x, U y, U) { return std::max(x, y); }); }},
    {"v_pk_min_i16 v6, v0, v2", false,
     [](U a, U b, U c) {
       return each_half(a, b, c, [](U x, U y, U) { return u16(static_cast<U>(std::min(s16(x), s16(y)))); });
     }},
    {"v_pk_ashrrev_i16 v6, v0, v2", false,
     [](U a, U b, U c) {
       return each_half(a, b, c, [](U x, U y, U) { return u16(static_cast<U>(s16(y) >> (x % 16))); });
     }},
    {"v_pk_mad_u16 v6, v0, v2, v4", false,
     [](U a, U b, U c) { return each_half(a, b, c, [](U x, U y, U z) { return u16(x * y + z); }); }},
    {"v_pk_sub_i16 v6, v0, v2 clamp", false,
     [](U a, U b, U c) {
       return each_half(
           a, b, c, [](U x, U y, U) { return u16(static_cast<U>(clamp(s16(x) - s16(y), -32768, 32767))); });
     }},
    {"v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[4:5]", true,
     [](U a, U b, U c) {
       return settle(std::fma(f32(a), f32(b), f32(c)), {a, b, c}) |
              settle(std::fma(f32(a >> 32), f32(b >> 32), f32(c >> 32)), {a >> 32, b >> 32, c >> 32}) << 32;
     }},
    {"v_pk_mul_f32 v[6:7], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[0,1]", true,
     [](U a, U b, U) {
       return settle(f32(a >> 32) * -f32(b), {a >> 32, b ^ 0x80000000}) |
              settle(f32(a) * f32(b >> 32), {a, b >> 32}) << 32;
     }},
    {"v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,0]", true, [](U a, U b, U) { return a >> 32 | b << 32; }},
    {"v_fma_mix_f32 v6, v0, v2, v4 op_sel:[1,0,0] op_sel_hi:[1,0,1]", false,
     [](U a, U b, U c) {
       return settle(
           std::fma(from_half(a >> 16), f32(b), from_half(c)),
           {std::isnan(from_half(a >> 16)) ? (a >> 16 & 0x8000) << 16 | 0x7f800000 | (a >> 16 & 0x3ff) << 13
                                           : 0,
            b, std::isnan(from_half(c)) ? (c & 0x8000) << 16 | 0x7f800000 | (c & 0x3ff) << 13 : 0});
     }},
    {"v_dot4_i32_i8 v6, v0, v2, v4", false,
     [](U a, U b, U c) {
       S sum = s32(c);
       for (int i = 0; i < 32; i += 8) sum += static_cast<int8_t>(a >> i) * static_cast<int8_t>(b >> i);
       return static_cast<U>(sum);
     }},
    {"v_pack_b32_f16 v6, v0, v2 op_sel:[1,0,0]", false,
     [](U a, U b, U) { return u16(a >> 16) | u16(b) << 16; }},
};
INSTANTIATE_TEST_SUITE_P(Halves, VectorAlu, ::testing::ValuesIn(kHalves), [](const auto& param) {
  return name_of(param.param) + "_" + std::to_string(param.index);
});

}  // namespace
}  // namespace mxproof::emulator
