// QuantPolicy: everything on which two right-looking MXFP4 quantisers can differ, as named fields, and the
// presets that public implementations amount to. OCP MX v1.0 fixes the formats and leaves the rest open, so
// every test id and every report names the policy it used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/status.hpp"

namespace mxproof {

/// From the block maximum amax = m * 2^E (1 <= m < 2) to the exponent e of its scale 2^e. The result is
/// clamped to -127..127, so that a byte e + 127 is 0..254.
enum class ScaleRule {
  floor,        ///< e = E-2. OCP MX v1.0 section 6.3; clips the maximum when m > 1.5.
  even,         ///< e = E-2, or E-1 when m >= 1.75 (the threshold is where m rounds up to 2 on e2m1's grid).
  rceil,        ///< e = E-2, or E-1 when m > 1.5: ceil(log2(amax/6)), never clips.
  ceil,         ///< e = E-2, or E-1 when m > 1: ceil(log2 amax) - 2.
  floor_sixth,  ///< e = E-2, or E-3 when m < 1.5: floor(log2(amax/6)), nearly always clips.
};

/// How an element x / 2^e that is no e2m1 value goes to a neighbouring code. All of them saturate at +-6.
enum class TieRule {
  nearest_even,         ///< Nearest; a tie goes to the even code.
  half_away,            ///< Nearest; a tie goes to the larger magnitude (differs at 0.25 1.25 2.5 5).
  half_toward_smaller,  ///< Nearest; a tie goes to the smaller magnitude (differs at 0.75 1.75 3.5).
  half_up_lossy,        ///< The first bit below the code decides alone, the sticky bits are lost. Written
                  ///< differently in kernels, but the codes are those of half_away: on a magnitude, half-up
                  ///< needs no sticky bit.
  nearest_even_lossy,  ///< Nearest even after |x / 2^e| < 1 was cut to a multiple of 2^-23 by the shift that
                       ///< makes it subnormal: the first three values above 0.25 look like a tie
                       ///< (tt-metal#51975).
  truncate,            ///< Toward zero.
};

/// A NaN among a block's elements.
enum class NanRule {
  nan_byte,  ///< Scale byte 255; all codes of the block are 0.
  ignored,   ///< Left out of amax; its own code is the saturated one (7, or 15 when its sign bit is set).
};

/// What becomes of a block whose maximum has no finite scale: an Inf among its elements (`QuantPolicy::inf`)
/// or an amax that the rule rounds past the largest f32 (`QuantPolicy::overflow`, `even` from 1.75 * 2^127
/// on).
enum class LargeRule {
  exact,     ///< As if exponents had no end. Of an Inf: E = 128 and m = 1, hence byte 253.
  byte_254,  ///< The largest scale, 2^127.
  nan_byte,  ///< Scale byte 255; all codes of the block are 0.
};

/// f32 subnormals on the way.
enum class SubnormalRule {
  kept,
  flushed,  ///< Subnormal inputs count as zeros of their sign; so does every element of a block whose scale
            ///< (byte 0) or inverse scale (byte 254) would be the subnormal 2^-127.
};

/// The code of an element that becomes zero.
enum class ZeroSign {
  kept,      ///< 8 for -0 and for tiny negatives.
  positive,  ///< Always 0.
};

/// In which precision the quantiser sees its input.
enum class InputPrecision {
  as_given,
  bf16,  ///< f32 and f16 elements are rounded to bf16 (nearest even) first.
};

/// One way to quantise. The defaults are this project's rule, the one of its GEMM paths.
struct QuantPolicy {
  std::string_view name = "even";
  ScaleRule scale = ScaleRule::even;
  TieRule tie = TieRule::nearest_even;
  uint8_t zero_block_byte =
      0;                   ///< Scale byte of a block whose amax (seed included) is zero; its codes are +-0.
  float amax_seed = 0.0f;  ///< amax starts from this value (1e-10 in some kernels).
  NanRule nan = NanRule::nan_byte;
  LargeRule inf = LargeRule::nan_byte;
  LargeRule overflow = LargeRule::exact;
  SubnormalRule subnormals = SubnormalRule::kept;
  ZeroSign zero_sign = ZeroSign::kept;
  InputPrecision input = InputPrecision::as_given;
  std::string_view source;  ///< Public source that a preset follows, with version or date.

  friend bool operator==(const QuantPolicy&, const QuantPolicy&) = default;
};

/// All presets; the first is the default.
std::span<const QuantPolicy> quant_presets();

/// The preset of that name. An unknown name is bad input whose message lists the names that exist.
Expected<QuantPolicy> quant_preset(std::string_view name);

/// Every value of the enumerations, in order, for sweeps.
std::span<const ScaleRule> all_scale_rules();
std::span<const TieRule> all_tie_rules();

std::string_view name_of(ScaleRule rule);
std::string_view name_of(TieRule rule);
std::string_view name_of(NanRule rule);
std::string_view name_of(LargeRule rule);
std::string_view name_of(SubnormalRule rule);
std::string_view name_of(ZeroSign sign);
std::string_view name_of(InputPrecision precision);

/// All fields in one line: "even: scale=even tie=nearest-even zero-block=0 seed=0 nan=... ".
std::string describe(const QuantPolicy& policy);

}  // namespace mxproof
