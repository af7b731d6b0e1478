// Lab: inputs of one shape and seed, and the tools with which faults are planted in them. Faults work on
// bytes in memory as kernels do and multiply with the reference or in plain f32 loops; they share nothing
// with the causes that are to find them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "common/compare/poison.hpp"
#include "common/matrix.hpp"
#include "common/shape.hpp"
#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

struct Lab {
  GemmShape shape;
  uint64_t seed = 0;
  Matrix<Bf16> a_values;  ///< Standard normal.
  Matrix<Bf16> b_values;
  Mxfp4Matrix a;  ///< Quantised by the default policy.
  Mxfp4Matrix b;
  Matrix<Bf16> right;  ///< A * B^T.
  mutable std::mt19937_64 random;

  Lab(GemmShape shape, uint64_t seed);

  /// A random number in [0, n).
  int64_t below(int64_t n) const { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }
  /// The reference's product.
  static Matrix<Bf16> product(const Mxfp4Matrix& a, const Mxfp4Matrix& b);
  /// One output before it is narrowed to bf16: a plain f32 loop over decoded values.
  float sums(int64_t row, int64_t col) const;
  /// Evidence that a user of a GEMM has: A in bf16, B quantised, the output.
  Evidence output(Matrix<Bf16> actual) const;
  /// Evidence that a user of a quantiser has.
  Evidence quantised(Mxfp4Matrix got) const;
};

/// Element access without packing arithmetic in every fault.
uint8_t get_code(const Mxfp4Matrix& m, int64_t row, int64_t k);
void set_code(Mxfp4Matrix& m, int64_t row, int64_t k, uint8_t code);
/// The codes of every byte in the other order.
Mxfp4Matrix swap_nibbles(Mxfp4Matrix m);
/// Decoded values, for faults that multiply by themselves.
Matrix<float> values_of(const Mxfp4Matrix& m);

/// The bf16 nearest to a float.
Bf16 to_bf16(float x);

/// `change(value, row, col)` over the right output.
template <class Change>
Matrix<Bf16> changed(const Lab& l, Change change) {
  Matrix<Bf16> out = l.right;
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) out(r, c) = change(out(r, c), r, c);
  }
  return out;
}

/// The output as a kernel stores it that puts cell (r, c) at `at(r, c)`; what nobody stores keeps `fill`.
template <class At>
Matrix<Bf16> stored(const Lab& l, At at, Bf16 fill = kPoisonBf16) {
  Matrix<Bf16> out(l.right.rows, l.right.cols, fill);
  for (int64_t r = 0; r < out.rows; ++r) {
    for (int64_t c = 0; c < out.cols; ++c) {
      const int64_t offset = at(r, c);
      if (offset < static_cast<int64_t>(out.data.size()))
        out.data[static_cast<size_t>(offset)] = l.right(r, c);
    }
  }
  return out;
}

/// One planted fault.
struct Fault {
  std::string_view name;
  /// Names of causes, any of which is a right answer: one fault can have two honest descriptions. "unknown"
  /// for faults that no cause describes, "right" for results that are right.
  std::vector<std::string_view> truth;
  /// Second cause that must be named too, for two faults at once; empty otherwise.
  std::vector<std::string_view> second;
  /// Evidence with the fault in it; nothing when the fault makes no sense for the shape.
  std::function<std::optional<Evidence>(const Lab&)> plant;
};

/// Faults that no cause was written for; on shapes of their own.
std::vector<Fault> faults_unforeseen();
std::vector<Fault> faults_unforeseen_in_operands();  ///< A part of them.

/// Faults of results with few rows; on shapes of their own.
std::vector<Fault> faults_small();

// One list a file; together they are the corpus.
std::vector<Fault> faults_in_codes();
std::vector<Fault> faults_in_scales();
std::vector<Fault> faults_in_quantiser();
std::vector<Fault> faults_in_sum();
std::vector<Fault> faults_in_output();
std::vector<Fault> faults_of_two();
std::vector<Fault> faults_unknown();
std::vector<Fault> faults_in_quantised_data();

}  // namespace mxproof::explain
