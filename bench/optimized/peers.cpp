#include "bench/optimized/peers.hpp"

#if defined(MXPROOF_WITH_CUBLASLT) || defined(MXPROOF_WITH_HIPBLASLT)

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bench/optimized/blaslt.hpp"
#include "bench/optimized/product_work.hpp"
#include "bench/optimized/stopwatch.hpp"
#include "common/random/fill.hpp"
#include "optimized/device/check.hpp"
#include "reference/dequantize.hpp"

namespace mxproof::bench {
namespace {

constexpr int64_t kWorkspaceBytes = int64_t{32} << 20;
constexpr int kMostAlgorithms = 8;
/// Outputs that are computed again on the host.
constexpr int kCheckedOutputs = 4096;

Status blas_status(BlasStatus status, const char* what) {
  if (status == kBlasSuccess) return {};
  return Status::device(fmt::format("{} failed with status {}", what, static_cast<int>(status)));
}

/// Opaque descriptors, destroyed with the object.
template <class T, auto kDestroy>
struct Handle {
  T value = nullptr;
  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (value != nullptr) static_cast<void>(kDestroy(value));
  }
};

class BlasWork final : public Work {
 public:
  explicit BlasWork(std::shared_ptr<const Operands> operands) : operands_(std::move(operands)) {}

  Status prepare() {
    MXPROOF_RETURN_IF_ERROR(make_buffers());
    MXPROOF_RETURN_IF_ERROR(make_descriptors());
    return choose_algorithm();
  }

  int sets() const override { return static_cast<int>(b_.size()); }
  int launches() const override { return 1; }
  int checked_set() const override { return 0; }

  Status enqueue(int set, hipStream_t stream) const override {
    const float one = 1, zero = 0;
    const auto index = static_cast<size_t>(set);
    // Row-major C = A * B^T is column-major C^T = B * A^T.
    return blas_status(
        MXPROOF_BLASLT(Matmul)(handle_.value, product_.value, &one, b_[index].as<void>(), b_layout_.value,
                               operands_->a(set % operands_->sets()).as<void>(), a_layout_.value, &zero,
                               c_[index].as<void>(), c_layout_.value, c_[index].as<void>(), c_layout_.value,
                               &algorithm_, workspace_.as<void>(), static_cast<size_t>(workspace_.bytes()),
                               stream),
        "the vendor's bf16 product");
  }

  Status poison() override {
    for (DeviceBuffer& buffer : c_) MXPROOF_RETURN_IF_ERROR(buffer.fill(kPoison));
    return {};
  }

  /// Compares a random sample of outputs with their sums in double: |c - exact| may reach the rounding to
  /// bf16 plus that of K additions in f32 in any order.
  Check check(bool /*all_sets*/) const override {
    auto c = c_[0].read_all<Bf16>();
    if (!c) return Check::of(c.status());
    auto a = operands_->a(0).read_all<Bf16>();
    if (!a) return Check::of(a.status());
    Check check;
    check.verdict = Verdict::within_bound;
    check.id = hash_bytes(std::as_bytes(std::span(*c)), hash_bytes(std::as_bytes(std::span(*a))));
    const GemmShape& shape = operands_->shape();
    for (int i = 0; i < kCheckedOutputs; ++i) {
      const uint64_t word = random_word(operands_->seed(), TensorId::test, static_cast<uint64_t>(i));
      const auto output = static_cast<int64_t>(word % static_cast<uint64_t>(shape.m * shape.n));
      const int64_t row = output / shape.n, col = output % shape.n;
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < shape.k; ++k) {
        const double term = static_cast<double>((*a)[static_cast<size_t>(row * shape.k + k)].to_float()) *
                            static_cast<double>(checked_b_(col, k).to_float());
        sum += term;
        magnitude += std::abs(term);
      }
      constexpr double kRoundF32 = 0x1p-24, kRoundBf16 = 0x1p-8;
      const double bound = static_cast<double>(shape.k) * kRoundF32 * magnitude + kRoundBf16 * std::abs(sum);
      const double actual = (*c)[static_cast<size_t>(output)].to_float();
      if (std::abs(actual - sum) <= bound) continue;
      check.verdict = Verdict::mismatch;
      check.message =
          fmt::format("output ({}, {}) is {}, expected {} within {}", row, col, actual, sum, bound);
      break;
    }
    return check;
  }

 private:
  Status make_buffers() {
    const GemmShape& shape = operands_->shape();
    // B in bf16 is four times as large, so fewer sets exceed the cache by as much.
    const int sets = std::max(2, operands_->sets() / 3);
    for (int set = 0; set < sets; ++set) {
      Mxfp4Matrix b(shape.n, shape.k);
      const uint64_t seed = operands_->seed() * 4096 + static_cast<uint64_t>(set);
      fill_bytes(b.codes, seed, TensorId::b);
      std::fill(b.scales.begin(), b.scales.end(), uint8_t{124});
      const Matrix<Bf16> values = reference::dequantize_bf16(b);
      if (set == 0) checked_b_ = values;
      auto buffer = DeviceBuffer::copy_of(values.data);
      if (!buffer) return buffer.status();
      b_.push_back(std::move(*buffer));
      auto c = DeviceBuffer::make(2 * shape.m * shape.n);
      if (!c) return c.status();
      c_.push_back(std::move(*c));
    }
    auto workspace = DeviceBuffer::make(kWorkspaceBytes);
    if (!workspace) return workspace.status();
    workspace_ = std::move(*workspace);
    return {};
  }

  Status make_descriptors() {
    const GemmShape& s = operands_->shape();
    const auto m = static_cast<uint64_t>(s.m), n = static_cast<uint64_t>(s.n), k = static_cast<uint64_t>(s.k);
    MXPROOF_RETURN_IF_ERROR(blas_status(MXPROOF_BLASLT(Create)(&handle_.value), "Create"));
    MXPROOF_RETURN_IF_ERROR(blas_status(
        MXPROOF_BLASLT(MatmulDescCreate)(&product_.value, kBlasComputeF32, kTypeF32), "MatmulDescCreate"));
    const auto transpose = kBlasTranspose;
    MXPROOF_RETURN_IF_ERROR(blas_status(
        MXPROOF_BLASLT(MatmulDescSetAttribute)(product_.value, MXPROOF_BLASLT_ENUM(MATMUL_DESC_TRANSA),
                                               &transpose, sizeof(transpose)),
        "MatmulDescSetAttribute"));
    MXPROOF_RETURN_IF_ERROR(
        blas_status(MXPROOF_BLASLT(MatrixLayoutCreate)(&b_layout_.value, kTypeBf16, k, n, s.k),
                    "MatrixLayoutCreate of B"));
    MXPROOF_RETURN_IF_ERROR(
        blas_status(MXPROOF_BLASLT(MatrixLayoutCreate)(&a_layout_.value, kTypeBf16, k, m, s.k),
                    "MatrixLayoutCreate of A"));
    return blas_status(MXPROOF_BLASLT(MatrixLayoutCreate)(&c_layout_.value, kTypeBf16, n, m, s.n),
                       "MatrixLayoutCreate of C");
  }

  /// The fastest of the library's own suggestions, by cold replays.
  Status choose_algorithm() {
    Handle<MXPROOF_BLASLT(MatmulPreference_t), &MXPROOF_BLASLT(MatmulPreferenceDestroy)> preference;
    MXPROOF_RETURN_IF_ERROR(
        blas_status(MXPROOF_BLASLT(MatmulPreferenceCreate)(&preference.value), "MatmulPreferenceCreate"));
    const auto workspace = static_cast<uint64_t>(kWorkspaceBytes);
    MXPROOF_RETURN_IF_ERROR(blas_status(
        MXPROOF_BLASLT(MatmulPreferenceSetAttribute)(preference.value,
                                                     MXPROOF_BLASLT_ENUM(MATMUL_PREF_MAX_WORKSPACE_BYTES),
                                                     &workspace, sizeof(workspace)),
        "MatmulPreferenceSetAttribute"));
    std::array<MXPROOF_BLASLT(MatmulHeuristicResult_t), kMostAlgorithms> found{};
    int count = 0;
    MXPROOF_RETURN_IF_ERROR(blas_status(
        MXPROOF_BLASLT(MatmulAlgoGetHeuristic)(handle_.value, product_.value, b_layout_.value,
                                               a_layout_.value, c_layout_.value, c_layout_.value,
                                               preference.value, kMostAlgorithms, found.data(), &count),
        "MatmulAlgoGetHeuristic"));
    if (count == 0) return Status::refused("the vendor's library has no algorithm for this shape");
    auto stopwatch = Stopwatch::make();
    if (!stopwatch) return stopwatch.status();
    double best = 0;
    int fastest = 0;
    for (int i = 0; i < count; ++i) {
      algorithm_ = found[static_cast<size_t>(i)].algo;
      auto timing = stopwatch->time_graph(*this, /*cold=*/true, /*replays=*/5);
      if (!timing) return timing.status();
      if (best > 0 && timing->device_us >= best) continue;
      best = timing->device_us;
      fastest = i;
    }
    algorithm_ = found[static_cast<size_t>(fastest)].algo;
    return {};
  }

  std::shared_ptr<const Operands> operands_;
  std::vector<DeviceBuffer> b_;
  std::vector<DeviceBuffer> c_;
  Matrix<Bf16> checked_b_;
  DeviceBuffer workspace_;
  Handle<MXPROOF_BLASLT(Handle_t), &MXPROOF_BLASLT(Destroy)> handle_;
  Handle<MXPROOF_BLASLT(MatmulDesc_t), &MXPROOF_BLASLT(MatmulDescDestroy)> product_;
  Handle<MXPROOF_BLASLT(MatrixLayout_t), &MXPROOF_BLASLT(MatrixLayoutDestroy)> a_layout_;
  Handle<MXPROOF_BLASLT(MatrixLayout_t), &MXPROOF_BLASLT(MatrixLayoutDestroy)> b_layout_;
  Handle<MXPROOF_BLASLT(MatrixLayout_t), &MXPROOF_BLASLT(MatrixLayoutDestroy)> c_layout_;
  MXPROOF_BLASLT(MatmulAlgo_t) algorithm_ {};
};

Expected<std::unique_ptr<Work>> make_blas_work(std::shared_ptr<const Operands> operands) {
  auto work = std::make_unique<BlasWork>(std::move(operands));
  MXPROOF_RETURN_IF_ERROR(work->prepare());
  return std::unique_ptr<Work>(std::move(work));
}

int64_t blas_bytes(const GemmShape& shape) {
  return 2 * (shape.n * shape.k + shape.m * shape.k + shape.m * shape.n);
}

constexpr Peer kPeers[] = {{kBlasName, &make_blas_work, &blas_bytes}};

}  // namespace

std::span<const Peer> peers() {
  return kPeers;
}

}  // namespace mxproof::bench

#else

namespace mxproof::bench {

std::span<const Peer> peers() {
  return {};
}

}  // namespace mxproof::bench

#endif
