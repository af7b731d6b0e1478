// Fresh random operands of one shape: as many sets as exceed the last-level cache, so that a loop over them
// finds nothing in it. One set, chosen by the seed, is the one whose output is verified.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "bench/run/row_label.hpp"
#include "common/matrix.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/weights/weights.hpp"
#include "reference/gemm.hpp"

namespace mxproof::bench {

/// What the operands hold; printed with every run, because it changes speed.
inline constexpr const char* kInputsText =
    "A standard normal bf16; B uniformly random codes, block scales uniform in 2^-7 to 2^-4";

/// How many sets of `bytes` each exceed `cache_bytes` three times, at most 1024.
int rotating_sets(int64_t bytes, int64_t cache_bytes);

/// Bytes that one product has to touch: codes and scales of B, bf16 A and C.
int64_t product_bytes(const GemmShape& shape);

/// A bf16 whose bytes are both poison, as an output that nobody wrote reads.
inline constexpr Bf16 kUnwritten{static_cast<uint16_t>(kPoison * 0x101)};

class Operands {
 public:
  /// Makes `sets` sets on the device. Everything follows from the seed.
  static Expected<std::shared_ptr<const Operands>> make(const GemmShape& shape, int sets, uint64_t seed);

  const GemmShape& shape() const { return shape_; }
  int sets() const { return static_cast<int>(a_.size()); }
  uint64_t seed() const { return seed_; }
  const DeviceBuffer& a(int set) const { return a_[static_cast<size_t>(set)]; }  ///< bf16 [M, K]
  const Weights& weights(int set) const { return weights_[static_cast<size_t>(set)]; }

  int checked_set() const { return checked_set_; }
  const Matrix<Bf16>& checked_a() const { return checked_a_; }
  const Mxfp4Matrix& checked_b() const { return checked_b_; }
  const Mxfp4Matrix& quantized_a() const { return quantized_a_; }          ///< By the reference.
  const reference::GemmReference& expected() const { return *expected_; }  ///< By the reference.

  /// Judges a product of the checked set [M, N] against the reference; its id hashes operands and output.
  /// Output that was judged before is recognised by that id: repeats of a right kernel all have the same
  /// bytes.
  Check verify(std::span<const Bf16> output) const;

 private:
  Operands() = default;

  GemmShape shape_;
  uint64_t seed_ = 0;
  std::vector<DeviceBuffer> a_;
  std::vector<Weights> weights_;
  int checked_set_ = 0;
  Matrix<Bf16> checked_a_;
  Mxfp4Matrix checked_b_;
  Mxfp4Matrix quantized_a_;
  std::unique_ptr<reference::GemmReference> expected_;
  uint64_t operands_hash_ = 0;
  mutable std::map<uint64_t, Check> verified_;
};

}  // namespace mxproof::bench
