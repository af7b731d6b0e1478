#include "bench/reference/eigen_gemm.hpp"

#include <Eigen/Core>
#include <thread>
#include <vector>

namespace mxproof::bench {
namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
template <class M>
using Strided = Eigen::Map<M, 0, Eigen::OuterStride<>>;

}  // namespace

void eigen_gemm(const Matrix<float>& a, const Matrix<float>& b, unsigned threads, bool column_major,
                Matrix<float>& c) {
  const Eigen::Map<const RowMajor> ea(a.data.data(), a.rows, a.cols);
  const auto work = [&](int64_t part) {
    const int64_t first = b.rows * part / threads;
    const int64_t count = b.rows * (part + 1) / threads - first;
    const Eigen::Map<const RowMajor> eb(b.data.data() + first * b.cols, count, b.cols);
    if (column_major) {
      Strided<ColMajor> ec(c.data.data() + first * a.rows, a.rows, count, Eigen::OuterStride<>(a.rows));
      ec.noalias() = ea * eb.transpose();
    } else {
      Strided<RowMajor> ec(c.data.data() + first, a.rows, count, Eigen::OuterStride<>(b.rows));
      ec.noalias() = ea * eb.transpose();
    }
  };
  std::vector<std::jthread> others;
  for (unsigned part = 1; part < threads; ++part) others.emplace_back(work, part);
  work(0);
}

}  // namespace mxproof::bench
