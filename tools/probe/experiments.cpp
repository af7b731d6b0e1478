// The experiments themselves. Expected values are worked out by hand from the definitions in
// chip_switches.def; the comments give the sums.
#include "tools/probe/experiment.hpp"

namespace mxproof::chip_probe {
namespace {

using Inputs = std::vector<Input>;

// f32 bits.
constexpr uint32_t kOne = 0x3f800000;
constexpr uint32_t kOneMinusUlp = 0x3f7fffff;  // 1 - 2^-24
constexpr uint32_t kOnePlusUlp = 0x3f800001;   // 1 + 2^-23
constexpr uint32_t kOnePlusTwoUlp = 0x3f800002;
constexpr uint32_t kFour = 0x40800000;
constexpr uint32_t kTinyNegative = 0xab800000;  // -2^-40
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kNan = 0x7fc00000;
constexpr uint32_t kSign = 0x80000000;
// FP4 codes.
constexpr uint32_t kFp4One = 2;
constexpr uint32_t kFp4OneAndHalf = 3;
constexpr uint32_t kFp4Six = 7;
constexpr uint32_t kFp4Negative = 8;

/// A[0][*] and B[*][0] with one non-zero product a * b in block `block`, scaled by 2^(scale_a + scale_b -
/// 254). Rows as of the kernel mfma_scale_fp4; a lane 16 * block holds row 0's part of that block, and its
/// scale.
void put_term(Inputs& in, int block, uint32_t a, uint32_t b, uint32_t scale_a, uint32_t scale_b) {
  const int lane = 16 * block;
  in.insert(in.end(), {{0, lane, a}, {4, lane, b}, {12, lane, scale_a}, {13, lane, scale_b}});
}
/// Scales 1.0 everywhere, C[0][0] = c.
Inputs scaled(uint32_t c) {
  return {{12, kEveryLane, 127}, {13, kEveryLane, 127}, {8, 0, c}};
}
/// Four terms sign * 2^exponent; a sign of 0 leaves one out.
struct Term {
  int sign;
  int exponent;
};
Inputs scaled_terms(uint32_t c, const std::vector<Term>& terms) {
  Inputs in = scaled(c);
  for (size_t b = 0; b < terms.size(); ++b) {
    if (terms[b].sign == 0) continue;
    put_term(in, static_cast<int>(b), kFp4One | (terms[b].sign < 0 ? kFp4Negative : 0), kFp4One,
             static_cast<uint32_t>(127 + terms[b].exponent), 127);
  }
  return in;
}

std::vector<Cell> first_cell() {
  return {{0, 0}};
}

/// Settings: sequential, fused, truncating, tree.
void add_scaled_accumulation(std::vector<Experiment>& list) {
  const auto add = [&](std::string_view what, Inputs in, std::vector<std::vector<uint64_t>> expected) {
    list.push_back({ChipSwitch::mfma_accumulation, "v_mfma_scale_f32_16x16x128_f8f6f4", what,
                    KernelId::mfma_scale_fp4, std::move(in), first_cell(), std::move(expected)});
  };
  // One by one each 2^-24 is half an ulp of 1 and vanishes in the tie; together they are 2^-22.
  add("C = 1, every T = 2^-24", scaled_terms(kOne, {{1, -24}, {1, -24}, {1, -24}, {1, -24}}),
      {{kOne}, {kOnePlusTwoUlp}, {kOnePlusTwoUlp}, {kOnePlusTwoUlp}});
  // 2^40 + 1 rounds to 2^40; cut 24 bits below 2^40 nothing is left of 1.
  add("T = (2^40, 1, -2^40, 0)", scaled_terms(0, {{1, 40}, {1, 0}, {-1, 40}, {0, 0}}),
      {{0}, {kOne}, {0}, {0}});
  add("T = (2^40, -2^40, 1, 0)", scaled_terms(0, {{1, 40}, {-1, 40}, {1, 0}, {0, 0}}),
      {{kOne}, {kOne}, {0}, {kOne}});
  // C floored to a multiple of 2^-24 is -2^-24.
  add("C = -2^-40, T = (1, 0, 0, 0)", scaled_terms(kTinyNegative, {{1, 0}, {0, 0}, {0, 0}, {0, 0}}),
      {{kOne}, {kOne}, {kOneMinusUlp}, {kOne}});
}

/// As above with products of f16: k = 0..3 of A[0][k] lie in lane 0, rows 0 and 1; of B[k][0] in rows 4
/// and 5.
void add_dense_accumulation(std::vector<Experiment>& list) {
  constexpr uint32_t kHalfOne = 0x3c00;
  constexpr uint32_t kHalf2ToMinus12 = 0x0c00;
  constexpr uint32_t kHalf2To15 = 0x7800;
  constexpr uint32_t kHalfSign = 0x8000;
  const auto add = [&](std::string_view what, Inputs in, std::vector<std::vector<uint64_t>> expected) {
    list.push_back({ChipSwitch::mfma_dense_accumulation, "v_mfma_f32_16x16x32_f16", what, KernelId::mfma_f16,
                    std::move(in), first_cell(), std::move(expected)});
  };
  constexpr uint32_t kTiny = kHalf2ToMinus12 | kHalf2ToMinus12 << 16;
  add("C = 1, four products 2^-24",
      {{0, 0, kTiny}, {1, 0, kTiny}, {4, 0, kTiny}, {5, 0, kTiny}, {8, 0, kOne}},
      {{kOne}, {kOnePlusTwoUlp}, {kOnePlusTwoUlp}, {kOnePlusTwoUlp}});
  constexpr uint32_t kLargeAndOne = kHalf2To15 | kHalfOne << 16;
  add("products 2^30, 1, -2^30",
      {{0, 0, kLargeAndOne}, {1, 0, kHalf2To15 | kHalfSign}, {4, 0, kLargeAndOne}, {5, 0, kHalf2To15}},
      {{0}, {kOne}, {0}, {0}});
  add("C = -2^-40, one product 1", {{0, 0, kHalfOne}, {4, 0, kHalfOne}, {8, 0, kTinyNegative}},
      {{kOne}, {kOne}, {kOneMinusUlp}, {kOne}});
}

void add_matrix_switches(std::vector<Experiment>& list) {
  add_scaled_accumulation(list);
  add_dense_accumulation(list);
  // A[0] is 1 in lane 0, element 16 alone, B is 1 everywhere, block b is scaled by 2^b: the result tells the
  // block.
  Inputs order = {{4, 0, 0x38}, {20, kEveryLane, 127}, {21, kEveryLane, 127}};
  for (int row = 8; row < 16; ++row) order.push_back({row, kEveryLane, 0x38383838});
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    order.push_back({20, static_cast<int>(lane), 127 + lane / 16});
  list.push_back({ChipSwitch::mfma_8bit_order,
                  "v_mfma_scale_f32_16x16x128_f8f6f4",
                  "element 16 of lane 0's e4m3",
                  KernelId::mfma_scale_fp8,
                  std::move(order),
                  first_cell(),
                  {{kFour}, {kOne}}});
  Inputs nan = scaled(0);
  put_term(nan, 0, kFp4One, kFp4One, 255, 127);
  list.push_back({ChipSwitch::mfma_nan,
                  "v_mfma_scale_f32_16x16x128_f8f6f4",
                  "a scale byte of 255",
                  KernelId::mfma_scale_fp4,
                  std::move(nan),
                  first_cell(),
                  {{kNan}, {kNan | kSign}}});
}

void add_vector_switches(std::vector<Experiment>& list) {
  list.push_back({ChipSwitch::invalid_nan,
                  "v_add_f32",
                  "Inf - Inf",
                  KernelId::add_f32,
                  {{0, 0, kInfinity}, {1, 0, kInfinity | kSign}},
                  first_cell(),
                  {{kNan}, {kNan | kSign}}});
  // 1/3, 2^-1/2, 2^1/2, 2^1/2, log2 3, sin and cos of an eighth of a turn.
  const std::vector<uint64_t> nearest = {0x3eaaaaab, 0x3f3504f3, 0x3fb504f3, 0x3fb504f3,
                                         0x3fcae00d, 0x3f3504f3, 0x3f3504f3};
  std::vector<uint64_t> below;
  for (const uint64_t value : nearest) below.push_back(value - 1);
  list.push_back({ChipSwitch::transcendentals,
                  "v_rcp_f32, v_rsq_f32, v_sqrt_f32, v_exp_f32, v_log_f32, v_sin_f32, v_cos_f32",
                  "operands with inexact results",
                  KernelId::transcendentals,
                  {{0, 0, 0x40400000}, {0, 1, 0x40000000}, {0, 2, 0x3f000000}, {0, 3, 0x3e000000}},
                  {{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 0}, {5, 3}, {6, 3}},
                  {nearest, below}});
  list.push_back({ChipSwitch::narrow_nan,
                  "v_cvt_scalef32_pk_fp4_f32",
                  "NaN and -NaN",
                  KernelId::cvt_to_fp4,
                  {{0, 0, kNan}, {1, 0, kNan | kSign}, {2, kEveryLane, kOne}},
                  first_cell(),
                  {{0xf7}, {0x77}, {0x80}, {0x00}}});
  list.push_back({ChipSwitch::conversion_scale_255,
                  "v_cvt_scalef32_pk_f32_fp4",
                  "1.0 with the scale 0x7f800000",
                  KernelId::cvt_from_fp4,
                  {{0, 0, 0x22}, {1, kEveryLane, kInfinity}},
                  first_cell(),
                  {{kInfinity}, {kAnyNan}}});
  // e2m3 has 0x08 for 1 and 0x10 for 2; the dword holds five codes and two bits of the sixth.
  list.push_back({ChipSwitch::two_sources_order,
                  "v_cvt_scalef32_2xpk16_fp6_f32",
                  "a source of 1 and a source of 2",
                  KernelId::cvt_2xpk16,
                  {{0, kEveryLane, kOne}, {1, kEveryLane, 0x40000000}, {2, kEveryLane, kOne}},
                  first_cell(),
                  {{0x08408408}, {0x08208208}}});
  // 1.0625 lies midway between 1 (0x38) and 1.125 (0x39); e4m3 drops 20 bits of the fraction.
  constexpr uint32_t kMidway = 0x3f880000;
  list.push_back({ChipSwitch::stochastic_seed,
                  "v_cvt_sr_fp8_f32",
                  "a midpoint, seeds 0x80000000 and 0x000fffff",
                  KernelId::cvt_sr_fp8,
                  {{0, kEveryLane, kMidway}, {1, 0, 0x80000000}, {1, 1, 0x000fffff}},
                  {{0, 0}, {0, 1}},
                  {{0x39, 0x38}, {0x38, 0x39}}});
  // Lane 0: 1 + 2^-24 + 2^-24. Lane 1: -2^30, low product 2^30, high product 1.
  constexpr uint32_t kTiny = 0x0c000c00;
  constexpr uint32_t kLargeAndOne = 0x3c007800;
  list.push_back({ChipSwitch::dot2_rounding,
                  "v_dot2c_f32_f16",
                  "sums that lose a term in one order",
                  KernelId::dot2_f16,
                  {{0, 0, kTiny},
                   {1, 0, kTiny},
                   {2, 0, kOne},
                   {0, 1, kLargeAndOne},
                   {1, 1, kLargeAndOne},
                   {2, 1, 0xce800000}},
                  {{0, 0}, {0, 1}},
                  {{kOne, kOne}, {kOne, 0}, {kOnePlusUlp, kOne}}});
  // Inactive: lanes 8 and 41. Pairs (d 40, s 8) and (d 41, s 9).
  Inputs lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    lanes.push_back({0, lane, 100U + static_cast<uint32_t>(lane)});
    lanes.push_back({1, lane, 200U + static_cast<uint32_t>(lane)});
  }
  list.push_back({ChipSwitch::permlane_swap_exec,
                  "v_permlane32_swap_b32",
                  "one lane of a pair switched off",
                  KernelId::permlane32_swap,
                  lanes,
                  {{0, 40}, {1, 8}, {0, 41}, {1, 9}},
                  {{208, 208, 141, 141}, {140, 208, 141, 209}}});
}

void add_matrix_facts(std::vector<Experiment>& list) {
  const auto add = [&](std::string_view what, Inputs in, uint64_t expected,
                       KernelId kernel = KernelId::mfma_scale_fp4) {
    list.push_back({std::nullopt,
                    "v_mfma_scale_f32_16x16x128_f8f6f4",
                    what,
                    kernel,
                    std::move(in),
                    first_cell(),
                    {{expected}}});
  };
  Inputs in = scaled(0);
  put_term(in, 0, 0, 0, 255, 127);
  add("a scale byte of 255 gives NaN against zeros too", in, kAnyNan);
  in = scaled(0);
  put_term(in, 0, kFp4Six, kFp4Six, 0, 254);
  add("a scale byte of 0 is 2^-127: 6 * 6 * 2^-127 * 2^127 = 36", in, 0x42100000);
  in = scaled(0);
  put_term(in, 0, kFp4Six, kFp4Six, 0, 0);
  add("6 * 6 * 2^-254 vanishes", in, 0);
  in = scaled(0);
  put_term(in, 0, kFp4OneAndHalf, kFp4One, 52, 53);
  add("1.5 * 2^-149 rounds to the subnormal 2^-148", in, 2);
  add("a subnormal C is kept", scaled(1), 1);
  in = scaled(kOne);
  put_term(in, 0, kFp4One, kFp4One, 127 - 25, 127);
  add("MODE's rounding upwards is ignored", in, kOne, KernelId::mfma_scale_fp4_mode_up);
}

void add_conversion_facts(std::vector<Experiment>& list) {
  const auto bits = [](float value) { return __builtin_bit_cast(uint32_t, value); };
  Inputs in = {{2, kEveryLane, kOne}, {3, kEveryLane, 0xaabbccdd}};
  const float pairs[5][2] = {{0.25F, 0.75F}, {1.25F, 1.75F}, {2.5F, 3.5F}, {5.0F, 100.0F}, {-0.0F, -0.125F}};
  std::vector<Cell> look;
  for (int lane = 0; lane < 5; ++lane) {
    in.push_back({0, lane, bits(pairs[lane][0])});
    in.push_back({1, lane, bits(pairs[lane][1])});
    look.push_back({0, lane});
  }
  list.push_back({std::nullopt,
                  "v_cvt_scalef32_pk_fp4_f32",
                  "ties go to the even code, 6 is the limit, the sign of zero and the other bytes stay",
                  KernelId::cvt_to_fp4,
                  in,
                  look,
                  {{0xaabbcc20, 0xaabbcc42, 0xaabbcc64, 0xaabbcc76, 0xaabbcc88}}});
  // -2 * 2^-127 with all of the scale's fraction and its sign set, and 6 * 2^100.
  list.push_back({std::nullopt,
                  "v_cvt_scalef32_pk_f32_fp4",
                  "only the scale's exponent field counts; field 0 is 2^-127",
                  KernelId::cvt_from_fp4,
                  {{0, kEveryLane, 0xc7}, {1, 0, 0x807fffff}, {1, 1, 0x71800000}},
                  {{0, 0}, {1, 0}, {0, 1}, {1, 1}},
                  {{0x01400000, 0x80800000, 0x72c00000, 0xf2000000}}});
}

/// Element `e` of a lane's result is the column `lane % 16` of row e in the matrix that the sixteen lanes'
/// loads make, 16 elements a row.
void add_transpose_fact(std::vector<Experiment>& list, std::string_view instruction, int bits, int words,
                        int first_row) {
  const auto dword = [](int lane, int word) {
    return static_cast<uint32_t>(lane * 3 + word + 1) * 0x9e3779b1U;
  };
  Experiment fact{std::nullopt,
                  instruction,
                  "sixteen lanes transpose a matrix of sixteen columns",
                  KernelId::ds_read_tr,
                  {},
                  {},
                  {{}}};
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int word = 0; word < 3; ++word) fact.in.push_back({word, lane, dword(lane, word)});
    const int rows = words * 32 / bits;
    std::vector<uint32_t> result(static_cast<size_t>(words));
    for (int bit = 0; bit < rows * bits; ++bit) {
      const int source_bit =
          (bit / bits * 16 + lane % 16) * bits + bit % bits;  // in the sixteen lanes' loads
      const int from_lane = lane / 16 * 16 + source_bit / (32 * words);
      const int at = source_bit % (32 * words);
      result[static_cast<size_t>(bit / 32)] |= ((dword(from_lane, at / 32) >> (at % 32)) & 1U) << (bit % 32);
    }
    for (int word = 0; word < words; ++word) {
      fact.look.push_back({first_row + word, lane});
      fact.expected[0].push_back(result[static_cast<size_t>(word)]);
    }
  }
  list.push_back(std::move(fact));
}

void add_memory_facts(std::vector<Experiment>& list) {
  add_transpose_fact(list, "ds_read_b64_tr_b4", 4, 2, 0);
  add_transpose_fact(list, "ds_read_b64_tr_b8", 8, 2, 2);
  add_transpose_fact(list, "ds_read_b64_tr_b16", 16, 2, 4);
  add_transpose_fact(list, "ds_read_b96_tr_b6", 6, 3, 6);
  Experiment fact{std::nullopt,
                  "global_load_lds_dwordx4",
                  "lane l's 16 bytes go to the base + 16 l; lanes that are off write nothing",
                  KernelId::load_to_lds,
                  {},
                  {},
                  {{}}};
  const auto source = [](int dword) { return 7U * static_cast<uint32_t>(dword) + 1U; };
  for (int i = 0; i < 4 * kLanes; ++i) fact.in.push_back({i / kLanes, i % kLanes, source(i)});
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      fact.look.push_back({i, lane});
      fact.expected[0].push_back(lane % 2 == 1 ? source(256 - 4 * lane + i) : 0xdeadbeefU);
    }
  }
  list.push_back(std::move(fact));
}

std::vector<Experiment> make_experiments() {
  std::vector<Experiment> list;
  add_matrix_switches(list);
  add_vector_switches(list);
  add_matrix_facts(list);
  add_conversion_facts(list);
  add_memory_facts(list);
  return list;
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> list = make_experiments();
  return list;
}

}  // namespace mxproof::chip_probe
