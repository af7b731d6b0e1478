#include "common/policy/quant_policy.hpp"

#include <fmt/format.h>

#include <array>

namespace mxproof {
namespace {

constexpr std::array kScaleRules = {ScaleRule::floor, ScaleRule::even, ScaleRule::rceil, ScaleRule::ceil,
                                    ScaleRule::floor_sixth};
constexpr std::array kTieRules = {TieRule::nearest_even,        TieRule::half_away,
                                  TieRule::half_toward_smaller, TieRule::half_up_lossy,
                                  TieRule::nearest_even_lossy,  TieRule::truncate};

// Where a source leaves something to the device or to the payload of a NaN, the preset takes the plain
// reading and the comment says so.
constexpr std::array kPresets = {
    QuantPolicy{.source = "this project; scale rule of AMD Quark and aiter's Triton kernels"},
    // log2 of an Inf is clamped to 127, so an Inf and an amax that rounds to Inf both give byte 254. What a
    // NaN does to tl.max, and the code of a NaN, depend on the device and the payload.
    QuantPolicy{.name = "aiter-triton",
                .nan = NanRule::ignored,
                .inf = LargeRule::byte_254,
                .overflow = LargeRule::byte_254,
                .source = "ROCm/aiter v0.1.24, aiter/ops/triton/_triton_kernels/quant/quant.py, "
                          "dynamic_mxfp4_quant"},
    // amax is the largest of 1e-10 and the magnitudes by fmax, which drops a NaN; ceil of an Inf gives byte
    // 255. Its product with a rounded 1/6 gives the exact rule for every normal f32 (the tests show it); the
    // seed hides the subnormal quotients where it would not.
    QuantPolicy{
        .name = "aiter-hip",
        .scale = ScaleRule::rceil,
        .amax_seed = 1e-10f,
        .nan = NanRule::ignored,
        .inf = LargeRule::nan_byte,
        .source = "ROCm/aiter#3212 (June 2026), MxScaleRoundMode::RoundUp of csrc/include/mx_quant_utils.h"},
    // The text fixes the rule alone; everything else is this project's choice.
    QuantPolicy{.name = "ocp",
                .scale = ScaleRule::floor,
                .source = "OCP Microscaling Formats (MX) v1.0 (September 2023), section 6.3"},
    // NaN gives byte 255, an Inf the byte of 2^128; later sources give 255 for both.
    QuantPolicy{.name = "torchao-floor",
                .scale = ScaleRule::floor,
                .inf = LargeRule::exact,
                .source = "torchao 0.18.0, torchao/prototype/mx_formats/mx_tensor.py, to_mx with "
                          "ScaleCalculationMode.FLOOR"},
    // cvt.rp.satfinite saturates an Inf to the largest scale and keeps a NaN.
    QuantPolicy{
        .name = "nvidia",
        .scale = ScaleRule::rceil,
        .inf = LargeRule::byte_254,
        .source = "NVIDIA cuBLAS 12.9, 1D block scaling, and PTX ISA 8.6, cvt.rp.satfinite.ue8m0x2.f32"},
    // Codes are searched from 0 upward and the first of two equally near ones stays: ties go to the smaller
    // magnitude and no element becomes -0. An amax below 2^-125 wraps around in the source's cast to a byte;
    // here it is clamped.
    QuantPolicy{.name = "llama-cpp",
                .scale = ScaleRule::floor,
                .tie = TieRule::half_toward_smaller,
                .nan = NanRule::ignored,
                .inf = LargeRule::exact,
                .zero_sign = ZeroSign::positive,
                .source = "ggml-org/llama.cpp, ggml/src/ggml-quants.c, quantize_row_mxfp4_ref (August 2025)"},
};

}  // namespace

std::span<const QuantPolicy> quant_presets() {
  return kPresets;
}
std::span<const ScaleRule> all_scale_rules() {
  return kScaleRules;
}
std::span<const TieRule> all_tie_rules() {
  return kTieRules;
}

Expected<QuantPolicy> quant_preset(std::string_view name) {
  std::string names;
  for (const QuantPolicy& preset : kPresets) {
    if (preset.name == name) return preset;
    if (!names.empty()) names += ", ";
    names += preset.name;
  }
  return Status::bad_input(fmt::format("unknown quantisation policy '{}'; there are: {}", name, names));
}

std::string_view name_of(ScaleRule rule) {
  switch (rule) {
    case ScaleRule::floor:
      return "floor";
    case ScaleRule::even:
      return "even";
    case ScaleRule::rceil:
      return "rceil";
    case ScaleRule::ceil:
      return "ceil";
    case ScaleRule::floor_sixth:
      return "floor-sixth";
  }
  return "?";
}

std::string_view name_of(TieRule rule) {
  switch (rule) {
    case TieRule::nearest_even:
      return "nearest-even";
    case TieRule::half_away:
      return "half-away";
    case TieRule::half_toward_smaller:
      return "half-toward-smaller";
    case TieRule::half_up_lossy:
      return "half-up-lossy";
    case TieRule::nearest_even_lossy:
      return "nearest-even-lossy";
    case TieRule::truncate:
      return "truncate";
  }
  return "?";
}

std::string_view name_of(NanRule rule) {
  return rule == NanRule::nan_byte ? "nan-byte" : "ignored";
}

std::string_view name_of(LargeRule rule) {
  switch (rule) {
    case LargeRule::exact:
      return "exact";
    case LargeRule::byte_254:
      return "byte-254";
    case LargeRule::nan_byte:
      return "nan-byte";
  }
  return "?";
}

std::string_view name_of(SubnormalRule rule) {
  return rule == SubnormalRule::kept ? "kept" : "flushed";
}
std::string_view name_of(ZeroSign sign) {
  return sign == ZeroSign::kept ? "kept" : "positive";
}
std::string_view name_of(InputPrecision precision) {
  return precision == InputPrecision::as_given ? "as-given" : "bf16";
}

std::string describe(const QuantPolicy& policy) {
  return fmt::format(
      "{}: scale={} tie={} zero-block={} amax-seed={} nan={} inf={} overflow={} subnormals={} zero-sign={} "
      "input={}",
      policy.name, name_of(policy.scale), name_of(policy.tie), policy.zero_block_byte, policy.amax_seed,
      name_of(policy.nan), name_of(policy.inf), name_of(policy.overflow), name_of(policy.subnormals),
      name_of(policy.zero_sign), name_of(policy.input));
}

}  // namespace mxproof
