// Sums kept in too few bits, and results cut instead of rounded.
#include <fmt/format.h>

#include "tools/explain/causes/helpers.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

const char* name_of(Precision p) {
  return p == Precision::bf16 ? "bf16" : p == Precision::f16 ? "f16" : "f32";
}

Candidate accumulation_candidate(std::string text, Accumulation how) {
  return {.cause = "low-precision-sum",
          .text = std::move(text),
          .stage = Stage::accumulate,
          .apply =
              [how](ProductModel& model) {
                model.accumulation = how;
                model.product_changed = true;
              },
          .changes = Part::rest};
}

}  // namespace

void propose_low_precision_sum(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence)) return;
  const int64_t k = clues.evidence.elements();
  for (Precision p : {Precision::bf16, Precision::f16}) {
    for (int64_t chunk : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
      if (chunk >= k) break;
      out.push_back(
          accumulation_candidate(fmt::format("the sum over K is kept in {}, rounded after every {} element{}",
                                             name_of(p), chunk, chunk == 1 ? "" : "s"),
                                 {chunk, Precision::exact, p}));
      // In pairs only the steps of an MFMA.
      out.back().combines = chunk == 32 || chunk == 128;
    }
    // Parts of K (split-K, or one MFMA each) that are rounded before f32 adds them.
    for (int64_t parts = 2; parts <= 64; ++parts) {
      if (k % (parts * kBlock) != 0) continue;
      out.push_back(accumulation_candidate(
          fmt::format("the partial sums of {} equal parts of K are rounded to {} before they are added",
                      parts, name_of(p)),
          {k / parts, p, Precision::exact}));
      out.push_back(accumulation_candidate(
          fmt::format("{} equal parts of K are added up in {} (atomic adds to the output do that)", parts,
                      name_of(p)),
          {k / parts, p, p}));
      out[out.size() - 2].combines = out.back().combines = false;
    }
  }
}

void propose_narrowing(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence) || clues.evidence.rounded_here) return;
  struct Rule {
    Narrowing narrowing;
    const char* text;
  };
  for (const Rule& rule : {Rule{Narrowing::truncate, "f32 is cut to bf16 instead of rounded"},
                           Rule{Narrowing::half_away, "f32 is rounded to bf16 with ties away from zero"},
                           Rule{Narrowing::through_f16, "the result went through f16 on its way to bf16"}}) {
    out.push_back({.cause = "narrowing",
                   .text = rule.text,
                   .stage = Stage::narrow,
                   .apply = [n = rule.narrowing](ProductModel& model) { model.narrowing = n; },
                   .changes = Part::rest});
  }
}

// The right numbers in another type than the reader takes them for.
void propose_output_format(const Clues& clues, std::vector<Candidate>& out) {
  if (!is_product(clues.evidence) || clues.evidence.rounded_here) return;
  out.push_back({.cause = "output-format",
                 .text = "the output holds f16, and was taken for bf16",
                 .stage = Stage::narrow,
                 .apply = [](ProductModel& model) { model.narrowing = Narrowing::f16_bits; },
                 .combines = false,
                 .changes = Part::rest});
  out.push_back(place_candidate(
      "output-format", "the output holds f32, and was taken for bf16: every number takes two places",
      [cols = clues.evidence.cells().cols](const std::function<Source(int64_t, int64_t)>& inner) {
        return [inner, cols](int64_t row, int64_t col) {
          const int64_t at = row * cols + col;
          Source s = inner(at / 2 / cols, at / 2 % cols);
          s.part = at % 2 == 0 ? StoredPart::low_half : StoredPart::high_half;
          return s;
        };
      }));
  out.back().combines = false;
}

}  // namespace mxproof::explain
