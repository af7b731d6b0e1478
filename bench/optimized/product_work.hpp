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

/// A bf16 whose bytes are both poison, as an output that nobody wrote reads.
inline constexpr Bf16 kUnwritten{static_cast<uint16_t>(kPoison * 0x101)};

/// The id of a verified product: its operands and its output.
uint64_t product_id(const Operands& operands, std::span<const Bf16> output);

}  // namespace mxproof::bench
