#include "bench/optimized/floor.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "bench/optimized/floor_kernels.hpp"
#include "bench/optimized/stopwatch.hpp"
#include "optimized/device/check.hpp"

namespace mxproof::bench {
namespace {

using Word = std::array<uint32_t, 4>;

/// What launch_stream computes, on the host: folds the words of one input into the threads' words. `position`
/// counts the words of all inputs so far.
void fold_into(std::vector<Word>& folds, size_t& position, std::span<const std::byte> input) {
  for (size_t i = 0; i < input.size() / sizeof(Word); ++i) {
    Word word;
    std::memcpy(&word, input.data() + i * sizeof(Word), sizeof(Word));
    Word& fold = folds[position++ % folds.size()];
    for (size_t part = 0; part < word.size(); ++part) fold[part] ^= word[part];
  }
}

class StreamFloor final : public ProductWork {
 public:
  explicit StreamFloor(std::shared_ptr<const Operands> operands) : ProductWork(std::move(operands)) {}

  Status prepare(int compute_units) {
    MXPROOF_RETURN_IF_ERROR(make_outputs());
    for (int set = 0; set < sets(); ++set) {
      const auto words = [](const DeviceBuffer& buffer) {
        return Words16{buffer.as<void>(), buffer.bytes() / int64_t{sizeof(Word)}};
      };
      const Weights& weights = operands().weights(set);
      arguments_.push_back({{words(weights.codes()), words(weights.row_scales()), words(operands().a(set))},
                            c(set).as<void>(),
                            c(set).bytes() / int64_t{sizeof(Word)}});
    }
    return choose_grid(compute_units);
  }

  Status enqueue(int set, hipStream_t stream) const override {
    return launch_stream(arguments_[static_cast<size_t>(set)], groups_, threads_, stream);
  }
  int launches() const override { return 1; }

  Check check(bool /*all_sets*/) const override {
    auto output = c(checked_set()).read_all<Bf16>();
    if (!output) return Check::of(output.status());
    std::vector<Word> folds(size_t{groups_} * threads_);
    size_t position = 0;
    fold_into(folds, position, std::as_bytes(std::span(operands().checked_b().codes)));
    fold_into(folds, position, std::as_bytes(std::span(operands().checked_b().scales)));
    fold_into(folds, position, std::as_bytes(std::span(operands().checked_a().data)));
    Check check;
    check.id = hash_bytes(std::as_bytes(std::span(*output)));
    check.verdict = Verdict::bit_equal;
    const auto bytes = std::as_bytes(std::span(*output));
    for (size_t i = 0; i < bytes.size() / sizeof(Word); ++i) {
      if (std::memcmp(bytes.data() + i * sizeof(Word), &folds[i % folds.size()], sizeof(Word)) == 0) continue;
      check.verdict = Verdict::mismatch;
      check.message = fmt::format("word {} of the output is not the fold of what its thread read", i);
      break;
    }
    return check;
  }

 private:
  /// The fastest of a few grids, by cold replays.
  Status choose_grid(int compute_units) {
    const bool timed = sets() > 1;  // An emulated device has one set and no times.
    groups_ = static_cast<unsigned>(compute_units);
    threads_ = 256;
    if (!timed) return {};
    auto stopwatch = Stopwatch::make();
    if (!stopwatch) return stopwatch.status();
    double best = 0;
    std::pair<unsigned, unsigned> fastest;
    for (const unsigned per_unit : {1u, 2u, 4u, 8u, 16u}) {
      for (const unsigned threads : {128u, 256u, 512u, 1024u}) {
        groups_ = static_cast<unsigned>(compute_units) * per_unit;
        threads_ = threads;
        auto timing = stopwatch->time_graph(*this, /*cold=*/true, /*replays=*/5);
        if (!timing) return timing.status();
        if (best == 0 || timing->device_us < best) {
          best = timing->device_us;
          fastest = {groups_, threads_};
        }
      }
    }
    std::tie(groups_, threads_) = fastest;
    return {};
  }

  std::vector<StreamArguments> arguments_;
  unsigned groups_ = 1;
  unsigned threads_ = 256;
};

class EmptyLaunch final : public Work {
 public:
  int sets() const override { return 1; }
  Status enqueue(int /*set*/, hipStream_t stream) const override { return launch_empty(stream); }
  int launches() const override { return 1; }
  Status poison() override { return {}; }
  int checked_set() const override { return 0; }
  Check check(bool /*all_sets*/) const override {
    Check check;
    check.no_output = true;
    return check;
  }
};

}  // namespace

Expected<std::unique_ptr<Work>> make_stream_floor(std::shared_ptr<const Operands> operands,
                                                  int compute_units) {
  auto work = std::make_unique<StreamFloor>(std::move(operands));
  MXPROOF_RETURN_IF_ERROR(work->prepare(compute_units));
  return std::unique_ptr<Work>(std::move(work));
}

std::unique_ptr<Work> make_empty_launch() {
  return std::make_unique<EmptyLaunch>();
}

}  // namespace mxproof::bench
