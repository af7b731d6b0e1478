#include "tools/explain/model.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"
#include "reference/round.hpp"

namespace mxproof::explain {
namespace {

constexpr double kUnitRoundoff = 0x1p-24;  // of f32, nearest even

OperandModel model_of(const Mxfp4Matrix& matrix) {
  OperandModel model;
  model.rows = matrix.rows;
  model.k = matrix.cols;
  model.code = [m = &matrix](int64_t row, int64_t k) { return e2m1_code_at(m->code_row(row), k); };
  model.scale = [m = &matrix](int64_t row, int64_t block) { return m->scale_row(row)[block]; };
  return model;
}

double as_f16(double x) {
  return reference::round_to_f16(x).to_float();
}

double round_to(double x, Precision precision) {
  switch (precision) {
    case Precision::exact:
      return x;
    case Precision::bf16:
      return reference::round_to_bf16(x).to_float();
    case Precision::f16:
      return as_f16(x);
  }
  return x;
}

void decode(const OperandModel& model, int64_t row, double* out) {
  if (model.value) {
    for (int64_t k = 0; k < model.k; ++k) out[k] = model.value(row, k);
    return;
  }
  for (int64_t block = 0; block < model.blocks(); ++block) {
    const double scale = model.scale_value[model.scale(row, block)];
    for (int64_t k = block * kBlock; k < (block + 1) * kBlock; ++k) {
      out[k] = model.code_value[model.code(row, k)] * scale;
    }
  }
}

/// Rows of one operand, decoded to numbers.
class DecodedRows {
 public:
  explicit DecodedRows(const OperandModel& model) : model_(model) {}

  /// Index for `row` to `row_data`.
  size_t add(int64_t row) {
    const auto [it, fresh] = index_.try_emplace(row, index_.size());
    if (fresh) {
      values_.resize(values_.size() + static_cast<size_t>(model_.k));
      decode(model_, row, values_.data() + values_.size() - model_.k);
    }
    return it->second;
  }
  const double* data(size_t index) const { return values_.data() + index * static_cast<size_t>(model_.k); }

 private:
  const OperandModel& model_;
  std::unordered_map<int64_t, size_t> index_;
  std::vector<double> values_;
};

/// Exact in double: block sums of MXFP4 products are small integers times a power of two. Eight partial sums
/// let the compiler use vector registers.
double block_sum(const double* a, const double* b) {
  double part[8] = {};
  for (int64_t k = 0; k < kBlock; k += 8) {
    for (int64_t lane = 0; lane < 8; ++lane) part[lane] += a[k + lane] * b[k + lane];
  }
  return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
}

double magnitude_sum(const double* a, const double* b, int64_t k) {
  double sum = 0;
  for (int64_t i = 0; i < k; ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}

struct Sum {
  double value = 0;
  double slack = 0;  ///< Bound on what f32 rounding in any order can change.
};

/// Value of the lowest set bit of x; x is an integer multiple of it.
double lowest_bit(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  const auto integer = static_cast<int64_t>(std::ldexp(mantissa, 53));
  return std::ldexp(static_cast<double>(integer & -integer), exponent - 53);
}

Sum exact_sum(const ProductModel& model, Coord at, const double* a, const double* b) {
  Sum sum;
  const int64_t blocks = model.a.blocks();
  double magnitudes = 0;
  double unit = std::numeric_limits<double>::infinity();
  for (int64_t block = 0; block < blocks; ++block) {
    double term = block_sum(a + block * kBlock, b + block * kBlock);
    if (model.weight) term *= model.weight(at.row, at.col, block);
    sum.value += term;
    magnitudes += std::abs(term);
    if (term != 0 && std::isfinite(term)) unit = std::min(unit, lowest_bit(term));
  }
  double roundings = static_cast<double>(blocks);
  if (model.a.value || model.b.value) {
    // Then no block sum is exact: every product and every addition may round.
    roundings = 2 * static_cast<double>(model.a.k);
    magnitudes = magnitude_sum(a, b, model.a.k);
  }
  // All partial sums are multiples of `unit`; below 2^24 units each of them is an f32, in any order.
  if (!model.a.value && !model.b.value && magnitudes < 0x1p24 * unit) return sum;
  sum.slack = roundings * kUnitRoundoff / (1 - roundings * kUnitRoundoff) * magnitudes;
  return sum;
}

double chunked_sum(const ProductModel& model, Coord at, const double* a, const double* b) {
  const Accumulation how = model.accumulation;
  const int64_t k = model.a.k;
  const int64_t chunk = how.chunk == 0 ? k : how.chunk;
  double accumulator = 0;
  for (int64_t begin = 0; begin < k; begin += chunk) {
    double partial = 0;
    for (int64_t i = begin; i < std::min(begin + chunk, k); ++i) {
      const double weight = model.weight ? model.weight(at.row, at.col, i / kBlock) : 1.0;
      partial += weight * a[i] * b[i];
    }
    accumulator = round_to(accumulator + round_to(partial, how.partial), how.accumulator);
  }
  return accumulator;
}

Prediction store(const Sum& sum, const Source& source, const ProductModel& model) {
  const double factor = source.factor;
  double product = sum.value * factor;
  if (source.rounded_first) product = narrow(product, model.narrowing).to_float();
  const double stored = product + source.added;
  Prediction p;
  if (source.part != StoredPart::rounded) {
    const uint32_t bits = std::bit_cast<uint32_t>(reference::round_to_f32(stored));
    p.value.bits = static_cast<uint16_t>(source.part == StoredPart::low_half ? bits : bits >> 16);
    p.low = p.high = p.value;
    return p;
  }
  p.value = narrow(stored, model.narrowing);
  const double slack = std::abs(factor) * sum.slack + std::abs(sum.value * factor) * model.fitted_error;
  p.low = p.high = p.value;
  if (slack > 0 && std::isfinite(slack)) {
    p.low = narrow(stored - slack, model.narrowing);
    p.high = narrow(stored + slack, model.narrowing);
  }
  return p;
}

bool is_power_of_two(double x) {
  int exponent = 0;
  return x != 0 && std::abs(std::frexp(x, &exponent)) == 0.5;
}

}  // namespace

Bf16 narrow(double sum, Narrowing narrowing) {
  const float f32 = reference::round_to_f32(sum);
  const uint32_t bits = std::bit_cast<uint32_t>(f32);
  switch (narrowing) {
    case Narrowing::nearest_even:
      return reference::round_to_bf16(f32);
    case Narrowing::truncate:
      return std::isnan(f32) ? reference::round_to_bf16(f32) : Bf16{static_cast<uint16_t>(bits >> 16)};
    case Narrowing::half_away:
      return std::isfinite(f32) ? Bf16{static_cast<uint16_t>((bits + 0x8000u) >> 16)}
                                : reference::round_to_bf16(f32);
    case Narrowing::f16_bits:
      return Bf16{reference::round_to_f16(f32).bits};
    case Narrowing::through_f16:
      return reference::round_to_bf16(reference::round_to_f16(f32).to_float());
  }
  return {};
}

bool Prediction::agrees(Bf16 actual) const {
  if (value.is_nan() || actual.is_nan()) return value.is_nan() && actual.is_nan();
  if (value == actual) return true;
  const float x = actual.to_float();
  return low.to_float() <= x && x <= high.to_float() && (x != 0 || low != high);
}

ProductModel right_model(const Evidence& evidence) {
  ProductModel model;
  const Mxfp4Matrix* a = evidence.subject == Subject::quantised ? &evidence.wanted
                         : evidence.a                           ? &*evidence.a
                                                                : nullptr;
  if (a != nullptr) model.a = model_of(*a);
  if (evidence.b) model.b = model_of(*evidence.b);
  for (OperandModel* operand : {&model.a, &model.b}) {
    for (size_t code = 0; code < 16; ++code) operand->code_value[code] = kE2m1Values[code];
    for (int byte = 0; byte < 256; ++byte) {
      operand->scale_value[static_cast<size_t>(byte)] =
          e8m0_is_nan(static_cast<uint8_t>(byte)) ? std::nan("") : std::ldexp(1.0, byte - kE8m0Bias);
    }
  }
  model.source = [](int64_t row, int64_t col) { return Source{{row, col}}; };
  return model;
}

bool can_predict(const Evidence& evidence, const ProductModel& model) {
  if (evidence.subject == Subject::quantised) return model.a.present();
  return !model.product_changed || (model.a.present() && model.b.present());
}

std::vector<Prediction> predict_outputs(const Evidence& evidence, const ProductModel& model,
                                        std::span<const Coord> cells) {
  assert(can_predict(evidence, model));
  const bool known = model.a.present() && model.b.present();
  DecodedRows a_rows(model.a);
  DecodedRows b_rows(model.b);
  struct Job {
    Source source;
    size_t a = 0;
    size_t b = 0;
    bool computed = false;
  };
  std::vector<Job> jobs(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    Job& job = jobs[i];
    job.source = model.source(cells[i].row, cells[i].col);
    const bool lookup = !model.product_changed && model.narrowing == Narrowing::nearest_even &&
                        job.source.part == StoredPart::rounded &&
                        (!known || (is_power_of_two(job.source.factor) && job.source.added == 0));
    if (job.source.is_constant || lookup) continue;
    job.computed = true;
    job.a = a_rows.add(job.source.at.row);
    job.b = b_rows.add(job.source.at.col);
  }
  const bool exact = model.accumulation == Accumulation{};
  std::vector<Prediction> out(cells.size());
  for (size_t i = 0; i < cells.size(); ++i) {
    const Job& job = jobs[i];
    const Coord at = job.source.at;
    if (job.source.is_constant) {
      out[i] = {job.source.constant, job.source.constant, job.source.constant};
    } else if (job.computed) {
      const double* a = a_rows.data(job.a);
      const double* b = b_rows.data(job.b);
      const Sum sum = exact ? exact_sum(model, at, a, b) : Sum{chunked_sum(model, at, a, b), 0};
      out[i] = store(sum, job.source, model);
    } else if (job.source.factor == 1 && job.source.added == 0 &&
               model.narrowing == Narrowing::nearest_even) {
      const Bf16 value = evidence.expected(at.row, at.col);
      out[i] = {value, value, value};
    } else {
      // Only the rounded product is known: half a unit of its last place stays open.
      const double value = evidence.expected(at.row, at.col).to_float();
      const bool exact_factor = is_power_of_two(job.source.factor) && job.source.added == 0;
      const double slack = exact_factor ? 0 : std::abs(value) * 0x1p-8;
      out[i] = store({value, slack}, job.source, model);
    }
  }
  return out;
}

bool block_agrees(const Evidence& evidence, const OperandModel& model, Coord block) {
  if (model.scale(block.row, block.col) != evidence.got.scale_row(block.row)[block.col]) return false;
  const uint8_t* got = evidence.got.code_row(block.row);
  for (int64_t k = block.col * kBlock; k < (block.col + 1) * kBlock; ++k) {
    if (model.code(block.row, k) != e2m1_code_at(got, k)) return false;
  }
  return true;
}

std::vector<double> decode_row(const OperandModel& model, int64_t row) {
  std::vector<double> values(static_cast<size_t>(model.k));
  decode(model, row, values.data());
  return values;
}

std::vector<double> block_sums(const ProductModel& model, Coord cell) {
  DecodedRows a_rows(model.a);
  DecodedRows b_rows(model.b);
  const double* a = a_rows.data(a_rows.add(cell.row));
  const double* b = b_rows.data(b_rows.add(cell.col));
  std::vector<double> sums(static_cast<size_t>(model.a.blocks()));
  for (size_t block = 0; block < sums.size(); ++block)
    sums[block] = block_sum(a + block * 32, b + block * 32);
  return sums;
}

}  // namespace mxproof::explain
