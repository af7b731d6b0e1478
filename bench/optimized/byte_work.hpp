// Work whose outputs are bytes in some layout, compared with what the reference says they are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/work.hpp"
#include "optimized/launch.hpp"

namespace mxproof::bench {

class ByteWork final : public Work {
 public:
  /// One output buffer of the kernel.
  struct Output {
    std::string name;
    std::vector<uint8_t> expected;  ///< Of the checked set; its size is that of the buffer.
    std::vector<bool> defined;      ///< Which bytes must be as expected; empty means all.
  };
  /// The launch for one set, given that set's output buffers in the order of `outputs`.
  using MakeLaunch = std::function<Expected<Launch>(int set, const std::vector<DeviceBuffer>& outputs)>;

  static Expected<std::unique_ptr<Work>> make(std::shared_ptr<const Operands> operands,
                                              std::vector<Output> outputs, const MakeLaunch& make_launch);

  int sets() const override { return operands_->sets(); }
  Status enqueue(int set, hipStream_t stream) const override {
    return launches_[static_cast<size_t>(set)].enqueue(stream);
  }
  int launches() const override { return 1; }
  Status poison() override;
  int checked_set() const override { return operands_->checked_set(); }
  /// Every byte value is legal, so sets other than the checked one cannot be told from poison and are not
  /// looked at.
  Check check(bool all_sets) const override;

 private:
  ByteWork() = default;

  std::shared_ptr<const Operands> operands_;
  std::vector<Output> outputs_;
  std::vector<std::vector<DeviceBuffer>> buffers_;  ///< [set][output]
  std::vector<Launch> launches_;                    ///< [set]
};

}  // namespace mxproof::bench
