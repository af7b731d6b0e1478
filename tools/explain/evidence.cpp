#include "tools/explain/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reference/gemm.hpp"
#include "reference/quantize.hpp"

namespace mxproof::explain {
namespace {

template <class M>
Status check(const M& matrix, int64_t rows, int64_t cols, const char* what) {
  if (matrix.rows == rows && (cols == 0 || matrix.cols == cols)) return {};
  return Status::bad_input(fmt::format("{} is [{}, {}], but the other parts make it [{}, {}]", what,
                                       matrix.rows, matrix.cols, rows, cols));
}

/// True when accumulation in another order can give `actual`.
bool accepted(const reference::GemmReference& product, int64_t row, int64_t col, Bf16 actual) {
  if (actual.is_nan() || product.in_exact_zone(row, col)) return false;
  const std::optional<Bf16Interval> bound = product.derived_bound(row, col);
  const float x = actual.to_float();
  if (bound && bound->low.to_float() <= x && x <= bound->high.to_float()) return true;
  return product.matching_model(row, col, actual).has_value();
}

}  // namespace

Extent Evidence::cells() const {
  if (subject == Subject::quantised) return {wanted.rows, wanted.cols / kBlock};
  return {expected.rows, expected.cols};
}

std::vector<uint8_t> Evidence::wrong_cells() const {
  if (!wrong.empty()) return wrong;
  const Extent extent = cells();
  std::vector<uint8_t> out(static_cast<size_t>(extent.size()));
  for (int64_t row = 0; row < extent.rows; ++row) {
    for (int64_t col = 0; col < extent.cols; ++col) {
      bool differs = false;
      if (subject == Subject::quantised) {
        const auto bytes = [&](const Mxfp4Matrix& m) { return m.code_row(row) + col * kBlock / 2; };
        differs = wanted.scale_row(row)[col] != got.scale_row(row)[col] ||
                  !std::equal(bytes(wanted), bytes(wanted) + kBlock / 2, bytes(got));
      } else {
        const Bf16 right = expected(row, col);
        const Bf16 actual = runs.front()(row, col);
        differs = right != actual && !(right.is_nan() && actual.is_nan() && actual != poison);
      }
      out[static_cast<size_t>(row * extent.cols + col)] = differs;
    }
  }
  return out;
}

int64_t Evidence::elements() const {
  if (subject == Subject::quantised) return wanted.cols;
  if (a) return a->cols;
  if (b) return b->cols;
  return k;
}

Status validate(const Evidence& e) {
  if (e.cells().size() <= 0) return Status::bad_input("there is nothing to explain: the result is empty");
  std::vector<Status> checks;
  if (e.subject == Subject::quantised) {
    checks.push_back(check(e.got, e.wanted.rows, e.wanted.cols, "the quantised data"));
    if (e.a_values) checks.push_back(check(*e.a_values, e.wanted.rows, e.wanted.cols, "A"));
  } else {
    if (e.runs.empty()) return Status::bad_input("no output was given to explain");
    for (const Matrix<Bf16>& run : e.runs) {
      checks.push_back(check(run, e.expected.rows, e.expected.cols, "the output"));
    }
    const int64_t k = e.elements();
    if (e.a) checks.push_back(check(*e.a, e.expected.rows, k, "A"));
    if (e.b) checks.push_back(check(*e.b, e.expected.cols, k, "B"));
    if (e.a_values) checks.push_back(check(*e.a_values, e.expected.rows, k, "A before quantisation"));
    if (e.b_values) checks.push_back(check(*e.b_values, e.expected.cols, k, "B before quantisation"));
    if (e.previous)
      checks.push_back(check(*e.previous, e.expected.rows, e.expected.cols, "the earlier output"));
  }
  for (const Status& status : checks) {
    if (!status) return status;
  }
  return {};
}

Matrix<float> widen(const Matrix<Bf16>& values) {
  Matrix<float> out(values.rows, values.cols);
  for (size_t i = 0; i < values.data.size(); ++i) out.data[i] = values.data[i].to_float();
  return out;
}

Expected<Evidence> output_evidence(Mxfp4Matrix a, Mxfp4Matrix b, Matrix<Bf16> actual) {
  const Expected<reference::GemmReference> product = reference::gemm(a, b);
  if (!product) return product.status();
  Evidence evidence;
  const MatrixView<const Bf16> values = product->values();
  evidence.expected = Matrix<Bf16>(values.rows, values.cols);
  for (int64_t row = 0; row < values.rows; ++row) {
    for (int64_t col = 0; col < values.cols; ++col) evidence.expected(row, col) = values(row, col);
  }
  evidence.a = std::move(a);
  evidence.b = std::move(b);
  evidence.runs.push_back(std::move(actual));
  if (Status status = validate(evidence); !status) return status;
  evidence.wrong = evidence.wrong_cells();
  for (size_t i = 0; i < evidence.wrong.size(); ++i) {
    if (evidence.wrong[i] == 0) continue;
    const auto row = static_cast<int64_t>(i) / values.cols;
    const auto col = static_cast<int64_t>(i) % values.cols;
    if (accepted(*product, row, col, evidence.runs.front()(row, col))) evidence.wrong[i] = 0;
  }
  return evidence;
}

Expected<Evidence> output_evidence(const Matrix<Bf16>& a, const QuantPolicy& policy, Mxfp4Matrix b,
                                   Matrix<Bf16> actual) {
  Expected<Mxfp4Matrix> quantised = reference::quantize(a.view(), policy);
  if (!quantised) return quantised.status();
  Expected<Evidence> evidence = output_evidence(std::move(*quantised), std::move(b), std::move(actual));
  if (!evidence) return evidence;
  evidence->a_values = widen(a);
  evidence->policy = policy;
  return evidence;
}

Expected<Evidence> quantised_evidence(const Matrix<float>& values, const QuantPolicy& policy,
                                      Mxfp4Matrix got) {
  Expected<Mxfp4Matrix> wanted = reference::quantize(values.view(), policy);
  if (!wanted) return wanted.status();
  Evidence evidence;
  evidence.subject = Subject::quantised;
  evidence.policy = policy;
  evidence.a_values = values;
  evidence.wanted = std::move(*wanted);
  evidence.got = std::move(got);
  if (Status status = validate(evidence); !status) return status;
  return evidence;
}

}  // namespace mxproof::explain
