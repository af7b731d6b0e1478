// Benches of the kernels that multiply.
#include <functional>
#include <vector>

#include "bench/optimized/geometry.hpp"
#include "bench/optimized/kernel_work.hpp"
#include "bench/optimized/product_work.hpp"
#include "optimized/device/check.hpp"
#include "optimized/gemm/gemm.hpp"
#include "optimized/quantize/quantize.hpp"
#include "reference/round.hpp"

namespace mxproof::bench {
namespace {

/// One launch a set, whose output is C.
class GemmWork final : public ProductWork {
 public:
  using MakeLaunch = std::function<Expected<Launch>(int set, DeviceBf16 c)>;

  /// `prepared` keeps alive what the launches read besides the operands.
  static WorkResult make(OperandsPtr operands, const MakeLaunch& make_launch,
                         std::shared_ptr<const void> prepared = nullptr) {
    std::unique_ptr<GemmWork> work(new GemmWork(std::move(operands), std::move(prepared)));
    MXPROOF_RETURN_IF_ERROR(work->make_outputs());
    const GemmShape& shape = work->operands().shape();
    for (int set = 0; set < work->sets(); ++set) {
      auto launch = make_launch(set, {work->c(set).as<Bf16>(), shape.m, shape.n, shape.n});
      if (!launch) return launch.status();
      work->launches_.push_back(*launch);
    }
    return std::unique_ptr<Work>(std::move(work));
  }

  Status enqueue(int set, hipStream_t stream) const override {
    return launches_[static_cast<size_t>(set)].enqueue(stream);
  }
  int launches() const override { return 1; }

 private:
  GemmWork(OperandsPtr operands, std::shared_ptr<const void> prepared)
      : ProductWork(std::move(operands)), prepared_(std::move(prepared)) {}

  std::shared_ptr<const void> prepared_;
  std::vector<Launch> launches_;
};

/// A quantised for every set: codes row-major, scales in scale_32x8.
class QuantisedA {
 public:
  static Expected<std::shared_ptr<const QuantisedA>> make(const Operands& o) {
    auto a = std::make_shared<QuantisedA>(QuantisedA{Geometry(o.shape())});
    for (int set = 0; set < o.sets(); ++set) {
      for (const Extent padded : {a->geometry_.a_codes.padded(), a->geometry_.a_scales.padded()}) {
        auto buffer = DeviceBuffer::make(padded.size());
        if (!buffer) return buffer.status();
        a->buffers_.push_back(std::move(*buffer));
      }
      auto launch = quantize_shuffle_launch(a_view(o, set), a->codes(set), a->scales(set));
      if (!launch) return launch.status();
      MXPROOF_RETURN_IF_ERROR(launch->enqueue(nullptr));
    }
    MXPROOF_RETURN_IF_ERROR(hip_status(hipDeviceSynchronize(), "hipDeviceSynchronize"));
    return std::shared_ptr<const QuantisedA>(std::move(a));
  }

  DeviceCodes codes(int set) const {
    return {buffers_[2 * static_cast<size_t>(set)].as(), geometry_.a_codes};
  }
  DeviceScales32x8 scales(int set) const {
    return {buffers_[2 * static_cast<size_t>(set) + 1].as(), geometry_.a_scales};
  }

 private:
  explicit QuantisedA(const Geometry& geometry) : geometry_(geometry) {}

  Geometry geometry_;
  std::vector<DeviceBuffer> buffers_;
};

Status check_b(const Operands& o) {
  if (Codes16x16::accepts(Geometry(o.shape()).b_codes.logical())) return {};
  return Status::refused("codes_16x16 needs N a multiple of 16 and K of 64");
}

DeviceCodes16x16 b_view(const Operands& o, int set) {
  return {o.weights(set).shuffled().as(), Codes16x16(Geometry(o.shape()).b_codes.logical())};
}

/// Partial sums of one product on the device, f32 [splits][M][N].
Expected<DeviceBuffer> make_partials(const GemmShape& shape) {
  return DeviceBuffer::make(Geometry(shape).partial_bytes());
}

Expected<Launch> splitk_launch(const Operands& o, const QuantisedA& a, int set,
                               const DeviceBuffer& partials) {
  return gemm_splitk_launch(a.codes(set), a.scales(set), b_view(o, set), b_scales_view(o, set),
                            partials.as<float>(), bench_splits(o.shape()),
                            default_tile(KernelId::gemm_splitk, o.shape()));
}

/// gemm_splitk alone. Its partials are summed on the host, in order, before they are judged.
class SplitKWork final : public Work {
 public:
  static WorkResult make(OperandsPtr operands) {
    MXPROOF_RETURN_IF_ERROR(check_b(*operands));
    auto a = QuantisedA::make(*operands);
    if (!a) return a.status();
    std::unique_ptr<SplitKWork> work(new SplitKWork(std::move(operands), std::move(*a)));
    for (int set = 0; set < work->sets(); ++set) {
      auto partials = make_partials(work->operands_->shape());
      if (!partials) return partials.status();
      auto launch = splitk_launch(*work->operands_, *work->a_, set, *partials);
      if (!launch) return launch.status();
      work->partials_.push_back(std::move(*partials));
      work->launches_.push_back(*launch);
    }
    return std::unique_ptr<Work>(std::move(work));
  }

  int sets() const override { return operands_->sets(); }
  Status enqueue(int set, hipStream_t stream) const override {
    return launches_[static_cast<size_t>(set)].enqueue(stream);
  }
  int launches() const override { return 1; }
  Status poison() override {
    for (DeviceBuffer& buffer : partials_) MXPROOF_RETURN_IF_ERROR(buffer.fill(kPoison));
    return {};
  }
  int checked_set() const override { return operands_->checked_set(); }

  Check check(bool /*all_sets*/) const override {
    auto partials = partials_[static_cast<size_t>(checked_set())].read_all<float>();
    if (!partials) return Check::of(partials.status());
    const GemmShape& shape = operands_->shape();
    Matrix<Bf16> sum(shape.m, shape.n);
    for (size_t i = 0; i < sum.data.size(); ++i) {
      float value = 0;
      for (size_t at = i; at < partials->size(); at += sum.data.size()) value += (*partials)[at];
      sum.data[i] = reference::round_to_bf16(value);
    }
    return operands_->verify(sum.data);
  }

 private:
  SplitKWork(OperandsPtr operands, std::shared_ptr<const QuantisedA> a)
      : operands_(std::move(operands)), a_(std::move(a)) {}

  OperandsPtr operands_;
  std::shared_ptr<const QuantisedA> a_;
  std::vector<DeviceBuffer> partials_;
  std::vector<Launch> launches_;
};

}  // namespace

WorkResult make_gemm_a16w4_work(OperandsPtr operands) {
  const Operands& o = *operands;
  const TileConfig tile = default_tile(KernelId::gemm_a16w4, o.shape());
  return GemmWork::make(std::move(operands), [&o, tile](int set, DeviceBf16 c) {
    return gemm_a16w4_launch(a_view(o, set), b_codes_view(o, set), b_row_scales_view(o, set), c, tile);
  });
}

WorkResult make_gemm_direct_work(OperandsPtr operands) {
  const Operands& o = *operands;
  MXPROOF_RETURN_IF_ERROR(check_b(o));
  const TileConfig tile = default_tile(KernelId::gemm_direct, o.shape());
  return GemmWork::make(std::move(operands), [&o, tile](int set, DeviceBf16 c) {
    return gemm_direct_launch(a_view(o, set), b_view(o, set), b_scales_view(o, set), c, tile);
  });
}

WorkResult make_gemm_a4w4_work(OperandsPtr operands) {
  const Operands& o = *operands;
  MXPROOF_RETURN_IF_ERROR(check_b(o));
  auto quantised = QuantisedA::make(o);
  if (!quantised) return quantised.status();
  const std::shared_ptr<const QuantisedA> a = std::move(*quantised);
  const TileConfig tile = default_tile(KernelId::gemm_a4w4, o.shape());
  const auto make_launch = [&o, &a, tile](int set, DeviceBf16 c) {
    return gemm_a4w4_launch(a->codes(set), a->scales(set), b_view(o, set), b_scales_view(o, set), c, tile);
  };
  return GemmWork::make(std::move(operands), make_launch, a);
}

WorkResult make_gemm_splitk_work(OperandsPtr operands) {
  return SplitKWork::make(std::move(operands));
}

WorkResult make_reduce_splitk_work(OperandsPtr operands) {
  const Operands& o = *operands;
  MXPROOF_RETURN_IF_ERROR(check_b(o));
  auto a = QuantisedA::make(o);
  if (!a) return a.status();
  const auto partials = std::make_shared<std::vector<DeviceBuffer>>();
  for (int set = 0; set < o.sets(); ++set) {
    auto buffer = make_partials(o.shape());
    if (!buffer) return buffer.status();
    auto launch = splitk_launch(o, **a, set, *buffer);
    if (!launch) return launch.status();
    MXPROOF_RETURN_IF_ERROR(launch->enqueue(nullptr));
    partials->push_back(std::move(*buffer));
  }
  MXPROOF_RETURN_IF_ERROR(hip_status(hipDeviceSynchronize(), "hipDeviceSynchronize"));
  const auto make_launch = [&o, &partials](int set, DeviceBf16 c) {
    return reduce_splitk_launch((*partials)[static_cast<size_t>(set)].as<const float>(),
                                bench_splits(o.shape()), c);
  };
  return GemmWork::make(std::move(operands), make_launch, partials);
}

}  // namespace mxproof::bench
