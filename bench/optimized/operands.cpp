#include "bench/optimized/operands.hpp"

#include <algorithm>

#include "common/compare/judge.hpp"
#include "common/random/fill.hpp"
#include "optimized/device/check.hpp"
#include "reference/quantize.hpp"

namespace mxproof::bench {
namespace {

/// B's scale bytes: 2^-7 to 2^-4, as narrow as those of quantised normal values.
constexpr uint8_t kSmallestScaleByte = 120;
constexpr uint8_t kScaleBytes = 4;

Mxfp4Matrix random_b(const GemmShape& shape, uint64_t seed) {
  Mxfp4Matrix b(shape.n, shape.k);
  fill_bytes(b.codes, seed, TensorId::b);
  fill_bytes(b.scales, seed, TensorId::scales);
  for (uint8_t& scale : b.scales) scale = static_cast<uint8_t>(kSmallestScaleByte + scale % kScaleBytes);
  return b;
}

}  // namespace

int rotating_sets(int64_t bytes, int64_t cache_bytes) {
  constexpr int64_t kMostSets = 1024;
  return static_cast<int>(
      std::clamp(3 * cache_bytes / std::max<int64_t>(bytes, 1) + 1, int64_t{2}, kMostSets));
}

int64_t product_bytes(const GemmShape& shape) {
  return shape.n * shape.row_bytes() + shape.n * shape.blocks() + 2 * shape.m * (shape.k + shape.n);
}

Expected<std::shared_ptr<const Operands>> Operands::make(const GemmShape& shape, int sets, uint64_t seed) {
  std::shared_ptr<Operands> made(new Operands);
  made->shape_ = shape;
  made->seed_ = seed;
  made->checked_set_ = static_cast<int>(random_word(seed, TensorId::test, 0) % static_cast<uint32_t>(sets));
  for (int set = 0; set < sets; ++set) {
    const uint64_t set_seed = seed * 4096 + static_cast<uint64_t>(set);
    Matrix<Bf16> a = normal_matrix(shape.m, shape.k, set_seed, TensorId::a);
    Mxfp4Matrix b = random_b(shape, set_seed);
    auto device_a = DeviceBuffer::copy_of(a.data);
    if (!device_a) return device_a.status();
    auto weights = Weights::upload(b);
    if (!weights) return weights.status();
    made->a_.push_back(std::move(*device_a));
    made->weights_.push_back(std::move(*weights));
    if (set == made->checked_set_) {
      made->checked_a_ = std::move(a);
      made->checked_b_ = std::move(b);
    }
  }
  auto quantized = reference::quantize(std::as_const(made->checked_a_).view());
  if (!quantized) return quantized.status();
  made->quantized_a_ = std::move(*quantized);
  auto expected = reference::gemm(made->quantized_a_, made->checked_b_);
  if (!expected) return expected.status();
  made->expected_ = std::make_unique<reference::GemmReference>(std::move(*expected));
  made->operands_hash_ = hash_bytes(std::as_bytes(std::span(made->checked_a_.data)));
  made->operands_hash_ = hash_bytes(std::as_bytes(std::span(made->checked_b_.codes)), made->operands_hash_);
  made->operands_hash_ = hash_bytes(std::as_bytes(std::span(made->checked_b_.scales)), made->operands_hash_);
  return std::shared_ptr<const Operands>(std::move(made));
}

Check Operands::verify(std::span<const Bf16> output) const {
  const uint64_t id = hash_bytes(std::as_bytes(output), operands_hash_);
  if (const auto found = verified_.find(id); found != verified_.end()) return found->second;
  const MatrixView<const Bf16> actual{output.data(), shape_.m, shape_.n, shape_.n};
  const Comparison comparison = judge(Acceptance::exact_zone(), *expected_, actual, {.poison = kUnwritten});
  Check check;
  check.verdict = comparison.verdict;
  check.message = comparison.message;
  check.id = id;
  verified_.emplace(id, check);
  return check;
}

}  // namespace mxproof::bench
