// Work whose output is a product C: poisoned before, judged against the exact reference after.
#pragma once

#include <memory>
#include <vector>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/work.hpp"

namespace mxproof::bench {

class ProductWork : public Work {
 public:
  int sets() const override { return operands_->sets(); }
  Status poison() override;
  int checked_set() const override { return operands_->checked_set(); }
  Check check(bool all_sets) const override;

 protected:
  explicit ProductWork(std::shared_ptr<const Operands> operands) : operands_(std::move(operands)) {}
  /// Allocates one C for each set; call before anything else.
  Status make_outputs();

  const Operands& operands() const { return *operands_; }
  /// bf16 [M, N]
  const DeviceBuffer& c(int set) const { return c_[static_cast<size_t>(set)]; }

 private:
  std::shared_ptr<const Operands> operands_;
  std::vector<DeviceBuffer> c_;
};

}  // namespace mxproof::bench
