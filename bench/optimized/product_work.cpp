#include "bench/optimized/product_work.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/compare/judge.hpp"
#include "optimized/device/check.hpp"

namespace mxproof::bench {

Status ProductWork::make_outputs() {
  const GemmShape& shape = operands_->shape();
  for (int set = 0; set < sets(); ++set) {
    auto buffer = DeviceBuffer::make(shape.m * shape.n * int64_t{sizeof(Bf16)});
    if (!buffer) return buffer.status();
    c_.push_back(std::move(*buffer));
  }
  return {};
}

Status ProductWork::poison() {
  for (DeviceBuffer& buffer : c_) MXPROOF_RETURN_IF_ERROR(buffer.fill(kPoison));
  return {};
}

Check ProductWork::check(bool all_sets) const {
  const GemmShape& shape = operands_->shape();
  Check check;
  for (int set = 0; set < sets(); ++set) {
    if (!all_sets && set != checked_set()) continue;
    auto output = c(set).read_all<Bf16>();
    if (!output) return Check::of(output.status());
    if (set == checked_set()) {
      const MatrixView<const Bf16> actual{output->data(), shape.m, shape.n, shape.n};
      const Comparison comparison =
          judge(Acceptance::exact_zone(), operands_->expected(), actual, {.poison = kUnwritten});
      check.id = product_id(*operands_, *output);
      check.verdict = comparison.verdict;
      check.message = comparison.message;
    } else if (const auto left = std::count(output->begin(), output->end(), kUnwritten); left > 0) {
      check.verdict = Verdict::mismatch;
      check.message = fmt::format("{} outputs of set {} were not written", left, set);
      return check;
    }
  }
  return check;
}

uint64_t product_id(const Operands& operands, std::span<const Bf16> output) {
  uint64_t hash = hash_bytes(std::as_bytes(std::span(operands.checked_a().data)));
  hash = hash_bytes(std::as_bytes(std::span(operands.checked_b().codes)), hash);
  hash = hash_bytes(std::as_bytes(std::span(operands.checked_b().scales)), hash);
  return hash_bytes(std::as_bytes(output), hash);
}

}  // namespace mxproof::bench
