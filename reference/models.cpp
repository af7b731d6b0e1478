#include "reference/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "reference/exact_sum.hpp"

namespace mxproof::reference {
namespace {

using Terms = std::span<const BlockTerm>;

/// rne(acc + T); an Inf stays, T being finite.
float add_rounded(float acc, const BlockTerm& t) {
  if (!std::isfinite(acc)) return acc;
  ExactSum sum;
  sum.add(acc);
  sum.add(t.quarters, t.exponent - 2);
  return sum.to_f32();
}

float add_sequential(float acc, Terms terms) {
  for (const BlockTerm& t : terms) acc = add_rounded(acc, t);
  return acc;
}

float add_fused(float acc, Terms terms) {
  if (!std::isfinite(acc)) return acc;
  ExactSum sum;
  sum.add(acc);
  for (const BlockTerm& t : terms) sum.add(t.quarters, t.exponent - 2);
  return sum.to_f32();
}

float add_tree(float acc, Terms terms) {
  return acc + add_sequential(0.0f, terms);
}

/// floor(log2 |value * 2^exponent|) of an integer that is not zero.
int leading_exponent(int64_t value, int exponent) {
  return exponent + 63 - std::countl_zero(static_cast<uint64_t>(std::llabs(value)));
}

float add_truncating(float acc, Terms terms) {
  if (!std::isfinite(acc)) return acc;
  int acc_exponent = 0;
  const auto acc_significand = static_cast<int64_t>(std::ldexp(std::frexp(acc, &acc_exponent), 24));
  acc_exponent -= 24;

  int largest = ExactSum::kLowestExponent - 1;
  if (acc_significand != 0) largest = leading_exponent(acc_significand, acc_exponent);
  for (const BlockTerm& t : terms) {
    if (t.quarters != 0) largest = std::max(largest, leading_exponent(t.quarters, t.exponent - 2));
  }
  const int cut = largest - 24;  // weight of the last bit that is kept
  ExactSum sum;
  for (const BlockTerm& t : terms) {
    const int drop = std::clamp(cut - (t.exponent - 2), 0, 30);
    sum.add(t.quarters / (1 << drop), t.exponent - 2 + drop);
  }
  const int drop = std::clamp(cut - acc_exponent, 0, 40);
  sum.add(acc_significand >> drop, acc_exponent + drop);
  return sum.to_f32();
}

float run_instruction(Accumulation accumulation, float acc, Terms terms) {
  switch (accumulation) {
    case Accumulation::sequential:
      return add_sequential(acc, terms);
    case Accumulation::fused:
      return add_fused(acc, terms);
    case Accumulation::truncating:
      return add_truncating(acc, terms);
    case Accumulation::tree:
      return add_tree(acc, terms);
  }
  return acc;
}

}  // namespace

std::string_view name_of(Accumulation accumulation) {
  return info_of(ChipSwitch::mfma_accumulation).settings[static_cast<size_t>(accumulation)];
}

std::string AccumulationModel::name() const {
  std::string text(name_of(accumulation));
  if (accumulation != Accumulation::sequential)
    text += blocks_per_instruction == 4 ? "/16x16x128" : "/32x32x64";
  if (split_k > 1) text += fmt::format("/split-{}", split_k);
  return text;
}

std::vector<AccumulationModel> accumulation_models(int64_t split_k, std::optional<Accumulation> known) {
  assert(split_k >= 1);
  std::vector<AccumulationModel> models;
  for (const int64_t split : {int64_t{1}, split_k}) {
    models.push_back({Accumulation::sequential, 4, split});
    for (const Accumulation a : {Accumulation::fused, Accumulation::truncating, Accumulation::tree}) {
      for (const int blocks : {4, 2}) models.push_back({a, blocks, split});
    }
    if (split_k == 1) break;
  }
  if (known) std::erase_if(models, [&](const AccumulationModel& m) { return m.accumulation != *known; });
  return models;
}

float accumulate(const AccumulationModel& model, Terms terms) {
  const auto blocks = static_cast<int64_t>(terms.size());
  const int64_t per_instruction = model.blocks_per_instruction;
  const int64_t instructions = (blocks + per_instruction - 1) / per_instruction;
  float total = 0.0f;
  for (int64_t part = 0; part < model.split_k; ++part) {
    float acc = 0.0f;
    const int64_t begin = instructions * part / model.split_k;
    const int64_t end = instructions * (part + 1) / model.split_k;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * per_instruction;
      const int64_t count = std::min(per_instruction, blocks - first);
      acc = run_instruction(model.accumulation, acc,
                            terms.subspan(static_cast<size_t>(first), static_cast<size_t>(count)));
    }
    total = part == 0 ? acc : total + acc;
  }
  return total;
}

}  // namespace mxproof::reference
