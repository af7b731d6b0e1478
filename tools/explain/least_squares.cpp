#include "tools/explain/least_squares.hpp"

#include <Eigen/Dense>
#include <cassert>

namespace mxproof::explain {

std::optional<std::vector<double>> least_squares(const std::vector<double>& coefficients, size_t unknowns,
                                                 const std::vector<double>& values) {
  assert(coefficients.size() == unknowns * values.size());
  if (values.size() < unknowns) return std::nullopt;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(values.size());
  const auto cols = static_cast<Eigen::Index>(unknowns);
  const Eigen::Map<const RowMajor> matrix(coefficients.data(), rows, cols);
  const Eigen::Map<const Eigen::VectorXd> right(values.data(), rows);
  if (!matrix.allFinite() || !right.allFinite()) return std::nullopt;
  const Eigen::VectorXd solution = matrix.colPivHouseholderQr().solve(right);
  return std::vector<double>(solution.begin(), solution.end());
}

}  // namespace mxproof::explain
