#include "bench/optimized/product_work.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  Check check;
  for (int set = 0; set < sets(); ++set) {
    if (!all_sets && set != checked_set()) continue;
    auto output = c(set).read_all<Bf16>();
    if (!output) return Check::of(output.status());
    if (set == checked_set()) {
      check = operands_->verify(*output);
      if (!check.allows_time()) return check;
    } else if (const auto left = std::count(output->begin(), output->end(), kUnwritten); left > 0) {
      check.verdict = Verdict::mismatch;
      check.message = fmt::format("{} outputs of set {} were not written", left, set);
      return check;
    }
  }
  return check;
}

}  // namespace mxproof::bench
