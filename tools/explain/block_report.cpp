#include "tools/explain/block_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "common/format/e2m1.hpp"
#include "common/format/e8m0.hpp"

namespace mxproof::explain {
namespace {

struct Block {
  uint8_t scale = 0;
  std::array<uint8_t, 32> codes{};

  double value(size_t i) const { return kE2m1Values[codes[i]] * std::ldexp(1.0, e8m0_exponent(scale)); }
};

Block block_of(const Mxfp4Matrix& m, Coord at) {
  Block block{.scale = m.scale_row(at.row)[at.col]};
  for (size_t i = 0; i < 32; ++i) {
    block.codes[i] = e2m1_code_at(m.code_row(at.row), at.col * kBlock + static_cast<int64_t>(i));
  }
  return block;
}

template <class Test>
bool all_differences(const Block& x, const Block& y, Test test) {
  for (size_t i = 0; i < 32; ++i) {
    if (x.codes[i] != y.codes[i] && !test(i)) return false;
  }
  return true;
}

bool is_tie(double scaled) {
  const double m = std::abs(scaled);
  for (double midpoint : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0}) {
    if (m == midpoint) return true;
  }
  return false;
}

/// The element divided by the block's scale.
double scaled(const Matrix<float>& values, Coord at, size_t i, uint8_t scale) {
  return std::ldexp(static_cast<double>(values(at.row, at.col * kBlock + static_cast<int64_t>(i))),
                    -e8m0_exponent(scale));
}

bool clips(const Matrix<float>& values, Coord at, uint8_t scale) {
  if (e8m0_is_nan(scale)) return false;
  for (size_t i = 0; i < 32; ++i) {
    if (std::abs(scaled(values, at, i, scale)) > 6) return true;
  }
  return false;
}

}  // namespace

std::string_view name_of(BlockClass c) {
  constexpr std::string_view kNames[kBlockClassCount] = {"equal",
                                                         "NaN",
                                                         "sign of zero only",
                                                         "same value, other encoding",
                                                         "tie",
                                                         "saturated by mode",
                                                         "constant factor",
                                                         "scale off by one",
                                                         "permuted",
                                                         "rounding",
                                                         "other"};
  return kNames[static_cast<int>(c)];
}

BlockClass classify_block(const Evidence& e, Coord at) {
  const Block want = block_of(e.wanted, at);
  const Block got = block_of(e.got, at);
  if (want.scale == got.scale && want.codes == got.codes) return BlockClass::equal;
  if (e8m0_is_nan(want.scale) || e8m0_is_nan(got.scale)) return BlockClass::nan;
  const bool same_scale = want.scale == got.scale;
  if (same_scale && all_differences(want, got, [&](size_t i) {
        return (want.codes[i] & 7) == 0 && (got.codes[i] & 7) == 0;
      })) {
    return BlockClass::sign_of_zero;
  }
  bool same_values = true;
  for (size_t i = 0; i < 32; ++i) same_values = same_values && want.value(i) == got.value(i);
  if (same_values) return BlockClass::same_value;
  const Matrix<float>* values = e.a_values ? &*e.a_values : nullptr;
  const auto one_step = [&](size_t i) {
    const bool same_side = (want.codes[i] & 8) == (got.codes[i] & 8);
    return same_side && std::abs((want.codes[i] & 7) - (got.codes[i] & 7)) == 1;
  };
  if (same_scale && values != nullptr && all_differences(want, got, [&](size_t i) {
        return one_step(i) && is_tie(scaled(*values, at, i, want.scale));
      })) {
    return BlockClass::tie;
  }
  if (values != nullptr && got.scale < want.scale && clips(*values, at, got.scale) &&
      !clips(*values, at, want.scale)) {
    return BlockClass::saturated;
  }
  if (want.codes == got.codes) return BlockClass::factor;
  if (std::abs(want.scale - got.scale) == 1) return BlockClass::scale_off_by_one;
  Block x = want;
  Block y = got;
  std::sort(x.codes.begin(), x.codes.end());
  std::sort(y.codes.begin(), y.codes.end());
  if (same_scale && x.codes == y.codes) return BlockClass::permuted;
  if (same_scale && all_differences(want, got, one_step)) return BlockClass::rounding;
  return BlockClass::other;
}

BlockReport report_blocks(const Evidence& e) {
  constexpr int kExamples = 3;
  BlockReport report;
  report.values_known = e.a_values.has_value();
  const Extent cells = e.cells();
  report.blocks = cells.size();
  for (int64_t row = 0; row < cells.rows; ++row) {
    for (int64_t col = 0; col < cells.cols; ++col) {
      const Coord at{row, col};
      const BlockClass what = classify_block(e, at);
      if (report.count[static_cast<int>(what)]++ < kExamples && what != BlockClass::equal) {
        report.examples.push_back({at, what});
      }
      const uint8_t want = e.wanted.scale_row(row)[col];
      const uint8_t got = e.got.scale_row(row)[col];
      if (!e8m0_is_nan(want) && !e8m0_is_nan(got)) ++report.scale_delta[got - want];
      if (report.values_known) {
        report.clipped_wanted += clips(*e.a_values, at, want);
        report.clipped_got += clips(*e.a_values, at, got);
      }
    }
  }
  return report;
}

std::vector<std::string> describe(const BlockReport& report) {
  std::vector<std::string> lines;
  std::string classes;
  for (int c = 0; c < kBlockClassCount; ++c) {
    if (report.count[c] == 0) continue;
    classes += fmt::format("{}{} {}", classes.empty() ? "" : ", ", report.count[c],
                           name_of(static_cast<BlockClass>(c)));
  }
  lines.push_back(fmt::format("of {} blocks: {}", report.blocks, classes));
  std::string deltas;
  for (const auto& [delta, count] : report.scale_delta) {
    if (delta < -4 || delta > 4) continue;
    deltas += fmt::format("{}{:+}: {}", deltas.empty() ? "" : ", ", delta, count);
  }
  int64_t beyond = 0;
  for (const auto& [delta, count] : report.scale_delta) beyond += delta < -4 || delta > 4 ? count : 0;
  if (beyond != 0) deltas += fmt::format("{}further off: {}", deltas.empty() ? "" : ", ", beyond);
  lines.push_back("scale byte, got minus wanted: " + deltas);
  if (report.values_known) {
    lines.push_back(fmt::format("blocks with a clipped maximum: {} wanted, {} got", report.clipped_wanted,
                                report.clipped_got));
  }
  return lines;
}

}  // namespace mxproof::explain
