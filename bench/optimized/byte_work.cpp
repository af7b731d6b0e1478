#include "bench/optimized/byte_work.hpp"

#include <fmt/format.h>

#include "optimized/device/check.hpp"

namespace mxproof::bench {

Expected<std::unique_ptr<Work>> ByteWork::make(std::shared_ptr<const Operands> operands,
                                               std::vector<Output> outputs, const MakeLaunch& make_launch) {
  std::unique_ptr<ByteWork> work(new ByteWork);
  work->operands_ = std::move(operands);
  work->outputs_ = std::move(outputs);
  for (int set = 0; set < work->sets(); ++set) {
    std::vector<DeviceBuffer> buffers;
    for (const Output& output : work->outputs_) {
      auto buffer = DeviceBuffer::make(static_cast<int64_t>(output.expected.size()));
      if (!buffer) return buffer.status();
      buffers.push_back(std::move(*buffer));
    }
    auto launch = make_launch(set, buffers);
    if (!launch) return launch.status();
    work->launches_.push_back(*launch);
    work->buffers_.push_back(std::move(buffers));
  }
  return std::unique_ptr<Work>(std::move(work));
}

Status ByteWork::poison() {
  for (auto& buffers : buffers_) {
    for (DeviceBuffer& buffer : buffers) MXPROOF_RETURN_IF_ERROR(buffer.fill(kPoison));
  }
  return {};
}

Check ByteWork::check(bool /*all_sets*/) const {
  Check check;
  check.verdict = Verdict::bit_equal;
  check.id = kFnvOffset;
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const Output& output = outputs_[o];
    auto actual = buffers_[static_cast<size_t>(checked_set())][o].read_all<uint8_t>();
    if (!actual) return Check::of(actual.status());
    check.id = hash_bytes(std::as_bytes(std::span(*actual)), check.id);
    for (size_t i = 0; i < actual->size(); ++i) {
      if ((!output.defined.empty() && !output.defined[i]) || (*actual)[i] == output.expected[i]) continue;
      check.verdict = Verdict::mismatch;
      check.message = fmt::format("byte {} of {} is 0x{:02x}, expected 0x{:02x}", i, output.name,
                                  (*actual)[i], output.expected[i]);
      return check;
    }
  }
  return check;
}

}  // namespace mxproof::bench
