// Another quantiser than the one agreed on: scale rule, tie rule, block maximum, edge policy, none at all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "reference/quantize.hpp"
#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"
#include "tools/explain/causes/quantiser.hpp"

namespace mxproof::explain {
namespace {

/// Candidate that quantises `id` anew: `quantise(values of the block, row, block)`.
template <class Quantise>
Candidate quantiser_candidate(const Clues& clues, std::string_view cause, OperandId id,
                              const std::string& text, Quantise quantise) {
  const Matrix<float>* values = known_values(clues.evidence, id);
  const auto blocks = std::make_shared<QuantisedOnDemand>(
      Extent{values->rows, values->cols / kBlock}, [values, quantise](int64_t row, int64_t block) {
        return quantise(values->data.data() + row * values->cols + block * kBlock, row, block);
      });
  return {.cause = cause,
          .text = text,
          .stage = Stage::quantise,
          .apply =
              [id, blocks](ProductModel& model) {
                replace_quantiser(operand(model, id), blocks);
                model.product_changed = true;
              },
          .changes = part_of(id)};
}

/// As above for rules that say nothing about NaN and Inf: blocks with one are left to the right policy.
template <class Quantise>
Candidate finite_candidate(const Clues& clues, std::string_view cause, OperandId id, const std::string& text,
                           Quantise quantise) {
  return quantiser_candidate(
      clues, cause, id, text,
      [right = clues.evidence.policy, quantise](const float* values, int64_t row, int64_t block) {
        const bool finite = std::all_of(values, values + kBlock, [](float x) { return std::isfinite(x); });
        return finite ? quantise(values, row, block) : quantise_by(right, values);
      });
}

std::vector<OperandId> operands_with_values(const Evidence& e) {
  std::vector<OperandId> ids;
  for (OperandId id : {OperandId::a, OperandId::b}) {
    if (known_values(e, id) != nullptr) ids.push_back(id);
  }
  return ids;
}

void add_policy(const Clues& clues, std::string_view cause, OperandId id, const std::string& text,
                const QuantPolicy& policy, std::vector<Candidate>& out) {
  out.push_back(quantiser_candidate(clues, cause, id, text, [policy](const float* values, int64_t, int64_t) {
    return quantise_by(policy, values);
  }));
}

/// floor(log2 |x|) of a finite positive number.
int exponent_of(float x) {
  return std::ilogb(x);
}

/// Byte by the rule "up from this mantissa on" with the given threshold, as `even` with 1.75.
uint8_t threshold_byte(float amax, double threshold) {
  if (!(amax > 0)) return 0;
  const int e = exponent_of(amax);
  const bool up = std::ldexp(static_cast<double>(amax), -e) >= threshold;
  return static_cast<uint8_t>(std::clamp(e - 2 + (up ? 1 : 0) + 127, 0, 254));
}

/// amax/6 rounded to the nearest power of two: its mantissa reaches 1.5 where amax's reaches 1.125.
uint8_t nearest_sixth_byte(float amax) {
  if (!(amax > 0)) return 0;
  const int e = exponent_of(amax);
  const bool up = std::ldexp(static_cast<double>(amax), -e) >= 1.125;
  return static_cast<uint8_t>(std::clamp(e - 3 + (up ? 1 : 0) + 127, 0, 254));
}

struct AmaxRule {
  const char* text;
  float (*amax)(const float* block);
};

float amax_of(const float* block, int first, int last, int step = 1) {
  float amax = 0;
  for (int i = first; i < last; i += step) amax = std::max(amax, std::abs(block[i]));
  return amax;
}

constexpr AmaxRule kAmaxRules[] = {
    {"{}'s block maximum was taken without absolute values",
     [](const float* b) { return std::max(0.0f, *std::max_element(b, b + 32)); }},
    {"{}'s block maximum misses the last element (lane 31)",
     [](const float* b) { return amax_of(b, 0, 31); }},
    {"{}'s block maximum misses the first element", [](const float* b) { return amax_of(b, 1, 32); }},
    {"{}'s block maximum sees the first 16 elements only", [](const float* b) { return amax_of(b, 0, 16); }},
    {"{}'s block maximum sees the last 16 elements only", [](const float* b) { return amax_of(b, 16, 32); }},
    {"{}'s block maximum sees even elements only", [](const float* b) { return amax_of(b, 0, 32, 2); }},
    {"{}'s block maximum sees odd elements only", [](const float* b) { return amax_of(b, 1, 32, 2); }},
    {"{}'s block maximum sees the first 8 elements only", [](const float* b) { return amax_of(b, 0, 8); }},
    {"{}'s scale comes from the first element alone", [](const float* b) { return std::abs(b[0]); }},
};

}  // namespace

void propose_scale_rule(const Clues& clues, std::vector<Candidate>& out) {
  const QuantPolicy right = clues.evidence.policy;
  for (OperandId id : operands_with_values(clues.evidence)) {
    for (ScaleRule rule : all_scale_rules()) {
      if (rule == right.scale) continue;
      QuantPolicy policy = right;
      policy.scale = rule;
      add_policy(clues, "scale-rule", id,
                 fmt::format("{} was quantised with scale rule {} instead of {}", name_of(id),
                             mxproof::name_of(rule), mxproof::name_of(right.scale)),
                 policy, out);
    }
    out.push_back(finite_candidate(
        clues, "scale-rule", id,
        fmt::format("{}'s scale was rounded up from mantissa 1.5 on (older reference code) instead of by {}",
                    name_of(id), mxproof::name_of(right.scale)),
        [tie = right.tie](const float* values, int64_t, int64_t) {
          return quantise_at(threshold_byte(amax_of(values, 0, 32), 1.5), tie, values);
        }));
    out.push_back(
        finite_candidate(clues, "scale-rule", id,
                         fmt::format("{}'s scale is the power of two nearest to amax/6 instead of {}",
                                     name_of(id), mxproof::name_of(right.scale)),
                         [tie = right.tie](const float* values, int64_t, int64_t) {
                           return quantise_at(nearest_sixth_byte(amax_of(values, 0, 32)), tie, values);
                         }));
    for (int shift : {-1, 1, -2}) {
      out.push_back(finite_candidate(
          clues, "scale-rule", id,
          fmt::format("{} was quantised with every scale byte {} by {} (elements fit that byte)", name_of(id),
                      shift < 0 ? "lower" : "higher", std::abs(shift)),
          [right, shift](const float* values, int64_t, int64_t) {
            const int byte = reference::scale_byte(amax_of(values, 0, 32), right);
            return quantise_at(static_cast<uint8_t>(byte == 255 ? 255 : std::clamp(byte + shift, 0, 254)),
                               right.tie, values);
          }));
    }
  }
}

void propose_tie_rule(const Clues& clues, std::vector<Candidate>& out) {
  const QuantPolicy right = clues.evidence.policy;
  for (OperandId id : operands_with_values(clues.evidence)) {
    for (TieRule tie : all_tie_rules()) {
      if (tie == right.tie) continue;
      QuantPolicy policy = right;
      policy.tie = tie;
      add_policy(clues, "tie-rule", id,
                 fmt::format("{}'s elements were rounded by {} instead of {}", name_of(id),
                             mxproof::name_of(tie), mxproof::name_of(right.tie)),
                 policy, out);
    }
  }
}

void propose_amax(const Clues& clues, std::vector<Candidate>& out) {
  const QuantPolicy right = clues.evidence.policy;
  for (OperandId id : operands_with_values(clues.evidence)) {
    for (const AmaxRule& rule : kAmaxRules) {
      out.push_back(finite_candidate(
          clues, "block-maximum", id, fmt::format(fmt::runtime(rule.text), name_of(id)),
          [right, amax = rule.amax](const float* values, int64_t, int64_t) {
            return quantise_at(reference::scale_byte(amax(values), right), right.tie, values);
          }));
    }
    const int64_t blocks = known_values(clues.evidence, id)->cols / kBlock;
    struct Span {
      const char* text;
      int64_t blocks;
    };
    for (const Span& span : {Span{"two blocks (64 elements)", 2}, Span{"four blocks (128 elements)", 4},
                             Span{"the whole row", blocks}}) {
      out.push_back(finite_candidate(
          clues, "block-maximum", id, fmt::format("{}'s maximum was taken over {}", name_of(id), span.text),
          [right, span, blocks](const float* values, int64_t, int64_t block) {
            const int64_t first = block / span.blocks * span.blocks;
            const int64_t last = std::min(first + span.blocks, blocks);
            const float* row = values - block * kBlock;
            const float amax =
                amax_of(row, static_cast<int>(first * kBlock), static_cast<int>(last * kBlock));
            return quantise_at(reference::scale_byte(amax, right), right.tie, values);
          }));
    }
    out.push_back(finite_candidate(
        clues, "block-maximum", id,
        fmt::format("{}'s blocks were quantised with the maximum of the previous block", name_of(id)),
        [right](const float* values, int64_t, int64_t block) {
          const float* from = block == 0 ? values : values - kBlock;
          return quantise_at(reference::scale_byte(amax_of(from, 0, 32), right), right.tie, values);
        }));
  }
}

void propose_edge_policy(const Clues& clues, std::vector<Candidate>& out) {
  const QuantPolicy right = clues.evidence.policy;
  for (OperandId id : operands_with_values(clues.evidence)) {
    const auto add = [&](std::string text, const QuantPolicy& policy) {
      if (policy == right) return;
      add_policy(clues, "edge-policy", id, fmt::format("{}: {}", name_of(id), text), policy, out);
    };
    for (uint8_t byte : {uint8_t{0}, uint8_t{127}, uint8_t{255}}) {
      QuantPolicy policy = right;
      policy.zero_block_byte = byte;
      add(fmt::format("blocks of zeros get scale byte {} instead of {}", byte, right.zero_block_byte),
          policy);
    }
    for (NanRule rule : {NanRule::nan_byte, NanRule::ignored}) {
      QuantPolicy policy = right;
      policy.nan = rule;
      add(fmt::format("a NaN element is handled as {}", mxproof::name_of(rule)), policy);
    }
    for (LargeRule rule : {LargeRule::exact, LargeRule::byte_254, LargeRule::nan_byte}) {
      QuantPolicy policy = right;
      policy.inf = rule;
      add(fmt::format("an infinite element is handled as {}", mxproof::name_of(rule)), policy);
      policy = right;
      policy.overflow = rule;
      add(fmt::format("a maximum too large for its scale is handled as {}", mxproof::name_of(rule)), policy);
    }
    for (SubnormalRule rule : {SubnormalRule::kept, SubnormalRule::flushed}) {
      QuantPolicy policy = right;
      policy.subnormals = rule;
      add(fmt::format("subnormals are {}", mxproof::name_of(rule)), policy);
    }
    for (InputPrecision precision : {InputPrecision::as_given, InputPrecision::bf16}) {
      QuantPolicy policy = right;
      policy.input = precision;
      add(fmt::format("the quantiser sees its input in precision {}", mxproof::name_of(precision)), policy);
    }
    for (float seed : {0.0f, 1e-10f}) {
      QuantPolicy policy = right;
      policy.amax_seed = seed;
      add(fmt::format("the block maximum starts from {} instead of {}", seed, right.amax_seed), policy);
    }
    out.push_back(quantiser_candidate(
        clues, "edge-policy", id,
        fmt::format("{}: a scale byte below 0 wraps around instead of stopping there", name_of(id)),
        [right](const float* values, int64_t, int64_t) {
          const float amax = amax_of(values, 0, 32);
          const bool wraps = amax > 0 && std::isfinite(amax) && exponent_of(amax) - 2 + 127 < 0;
          if (!wraps) return quantise_by(right, values);
          return quantise_at(static_cast<uint8_t>(exponent_of(amax) - 2 + 127), right.tie, values);
        }));
    out.push_back(quantiser_candidate(clues, "edge-policy", id,
                                      fmt::format("{}: the sign of zero is lost", name_of(id)),
                                      [right](const float* values, int64_t, int64_t) {
                                        QuantisedBlock block = quantise_by(right, values);
                                        for (uint8_t& code : block.codes)
                                          code = code == 8 ? uint8_t{0} : code;
                                        return block;
                                      }));
  }
}

// A view with a row stride larger than K, read as if it were dense, or the reverse.
void propose_value_stride(const Clues& clues, std::vector<Candidate>& out) {
  for (OperandId id : operands_with_values(clues.evidence)) {
    const Matrix<float>& m = *known_values(clues.evidence, id);
    if (m.rows < 2) continue;
    for (int64_t more : {8, 16, 32, 64, 128}) {
      for (bool stored_loose : {true, false}) {
        const int64_t stored = m.cols + (stored_loose ? more : 0);
        const int64_t read = m.cols + (stored_loose ? 0 : more);
        out.push_back(quantiser_candidate(
            clues, "row-stride", id,
            fmt::format("{}'s rows are {} elements apart and were read {} elements apart before quantisation",
                        name_of(id), stored, read),
            [&m, stored, read, right = clues.evidence.policy](const float*, int64_t row, int64_t block) {
              float values[32];
              for (int64_t i = 0; i < 32; ++i) {
                const int64_t at = row * read + block * kBlock + i;
                const bool inside = at / stored < m.rows && at % stored < m.cols;
                values[i] = inside ? m(at / stored, at % stored) : 0.0f;
              }
              return quantise_by(right, values);
            }));
        out.back().guess_bits = kBitsOfZeroPadding;
        out.back().confinable = false;
      }
    }
  }
}

void propose_not_quantised(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  const std::vector<OperandId> ids = operands_with_values(clues.evidence);
  const auto add = [&](std::vector<OperandId> which, std::string text) {
    const Part changes = which.size() == 1 ? part_of(which[0]) : Part::all;
    out.push_back({.cause = "not-quantised",
                   .text = std::move(text),
                   .stage = Stage::decode,
                   .apply =
                       [which = std::move(which), &e = clues.evidence](ProductModel& model) {
                         for (OperandId id : which) {
                           operand(model, id).value = [values = known_values(e, id)](int64_t row, int64_t k) {
                             return static_cast<double>((*values)(row, k));
                           };
                         }
                         model.product_changed = true;
                       },
                   .changes = changes});
  };
  for (OperandId id : ids)
    add({id}, fmt::format("{} was not quantised: its values were multiplied as they are", name_of(id)));
  if (ids.size() == 2) add(ids, "neither A nor B was quantised");
}

}  // namespace mxproof::explain
