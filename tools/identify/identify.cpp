#include "tools/identify/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "common/format/e2m1.hpp"
#include "common/packing/mxfp4_packing.hpp"
#include "common/shape.hpp"

namespace mxproof::identify {
namespace {

// Statistics must stand out by this much, absolutely and against the next layout, to be called likely.
constexpr double kClearStructure = 0.02;
constexpr double kClearFactor = 2;

double number(LayoutKind kind, uint8_t byte) {
  if (kind == LayoutKind::scales) return byte;
  return std::abs(kE2m1Values[byte & 15]) + std::abs(kE2m1Values[byte >> 4]);
}

/// Share of the variance between rows and between columns, less what chance gives.
double structure_of(const AnyLayout& layout, std::span<const uint8_t> plain) {
  const Extent e = layout.logical();
  if (e.rows < 2 || e.cols < 2) return 0;
  std::vector<double> rows(static_cast<size_t>(e.rows));
  std::vector<double> cols(static_cast<size_t>(e.cols));
  double sum = 0;
  double squares = 0;
  for (int64_t r = 0; r < e.rows; ++r) {
    for (int64_t c = 0; c < e.cols; ++c) {
      const double x = number(layout.info().kind, plain[static_cast<size_t>(r * e.cols + c)]);
      rows[static_cast<size_t>(r)] += x;
      cols[static_cast<size_t>(c)] += x;
      sum += x;
      squares += x * x;
    }
  }
  const auto count = static_cast<double>(e.size());
  const double total = squares - sum * sum / count;
  if (total <= 0) return 0;
  double between = 0;
  for (double x : rows) between += x * x / static_cast<double>(e.cols);
  for (double x : cols) between += x * x / static_cast<double>(e.rows);
  between -= 2 * sum * sum / count;
  const double chance = static_cast<double>(e.rows + e.cols - 2) / (count - 1);
  return std::max(0.0, between / total - chance);
}

struct Padding {
  std::optional<uint8_t> fill;  ///< The one byte that fills all of it.
  bool tells = false;  ///< That this is no chance, as it is where the data hold little but that byte.
};

Padding padding_of(const AnyLayout& layout, std::span<const uint8_t> buffer, std::span<const uint8_t> plain) {
  constexpr double kChance = 1e-6;
  std::optional<uint8_t> fill;
  int64_t count = 0;
  for (int64_t offset = 0; offset < layout.size(); ++offset) {
    if (!layout.is_padding(layout.coord(offset))) continue;
    const uint8_t byte = buffer[static_cast<size_t>(offset)];
    if (fill && *fill != byte) return {};
    fill = byte;
    ++count;
  }
  if (!fill) return {};
  const double share =
      static_cast<double>(std::count(plain.begin(), plain.end(), *fill)) / static_cast<double>(plain.size());
  return {fill, std::pow(share, static_cast<double>(count)) < kChance};
}

double agreement(std::span<const uint8_t> x, std::span<const uint8_t> y) {
  size_t equal = 0;
  for (size_t i = 0; i < x.size(); ++i) equal += x[i] == y[i];
  return x.empty() ? 0 : static_cast<double>(equal) / static_cast<double>(x.size());
}

std::vector<uint8_t> nibbles_swapped(std::span<const uint8_t> bytes) {
  std::vector<uint8_t> out;
  for (uint8_t byte : bytes) out.push_back(exchange_nibbles(byte));
  return out;
}

struct Candidate {
  AnyLayout layout;
  std::string name;
};

/// All layouts of the kind, in every padding.
std::vector<Candidate> all_candidates(int64_t rows, int64_t k, std::optional<LayoutKind> kind) {
  std::vector<Candidate> out;
  for (const LayoutInfo& info : all_layouts()) {
    if (kind && info.kind != *kind) continue;
    const auto paddings = AnyLayout::make_all(info.name, extent_of(info.kind, rows, k));
    if (!paddings) continue;
    for (const AnyLayout& layout : *paddings) {
      const bool usual = layout.size() == paddings->front().size();
      out.push_back({layout, std::string(info.name) +
                                 (usual ? "" : fmt::format(", rows padded to {}", layout.padded().rows))});
    }
  }
  return out;
}

std::string sizes_text(const std::vector<Candidate>& candidates) {
  std::string text;
  for (const Candidate& c : candidates)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", c.name, c.layout.size());
  return text;
}

void decide_by_original(Identification& result) {
  std::sort(result.guesses.begin(), result.guesses.end(),
            [](const Guess& x, const Guess& y) { return x.agreement > y.agreement; });
  const auto exact = std::count_if(result.guesses.begin(), result.guesses.end(),
                                   [](const Guess& g) { return g.agreement == 1; });
  if (exact == 1) {
    result.certainty = Certainty::certain;
    result.reason = "every byte equals the original in this layout, and in no other";
  } else if (exact > 1) {
    result.certainty = Certainty::ambiguous;
    result.reason = "several layouts give the original: they agree on this data or this shape";
  } else {
    result.reason = fmt::format("no layout gives the original; the nearest agrees in {:.4g} % of the bytes",
                                100 * result.guesses.front().agreement);
  }
}

void decide_by_statistics(Identification& result) {
  std::sort(result.guesses.begin(), result.guesses.end(),
            [](const Guess& x, const Guess& y) { return x.structure > y.structure; });
  const Guess& best = result.guesses.front();
  const bool only = result.guesses.size() == 1;
  const double next = only ? 0 : result.guesses[1].structure;
  if (best.structure > kClearStructure && best.structure > kClearFactor * next) {
    result.certainty = Certainty::likely;
    result.reason = only ? fmt::format(
                               "the only layout of this size, and rows and columns account for {:.3g} % of "
                               "the variance beyond chance",
                               100 * best.structure)
                         : fmt::format(
                               "rows and columns account for {:.3g} % of the variance beyond chance, in the "
                               "next best for {:.3g} %",
                               100 * best.structure, 100 * next);
    return;
  }
  std::vector<std::pair<size_t, uint8_t>> filled;  // which guess, with what byte
  for (size_t i = 0; i < result.guesses.size(); ++i) {
    const Guess& guess = result.guesses[i];
    if (guess.padding_tells && guess.padding_fill) filled.emplace_back(i, *guess.padding_fill);
  }
  if (filled.size() == 1) {
    const auto [guess, fill] = filled.front();
    result.certainty = Certainty::likely;
    result.reason = fmt::format("all its padding holds one byte, 0x{:02x}", fill);
    std::swap(result.guesses.front(), result.guesses[guess]);
    return;
  }
  result.reason =
      only ? "the only layout of this size, but the data has no structure that shows it; give --original"
           : "these layouts have the same size and the data has no structure that tells them apart; give "
             "--original";
}

}  // namespace

Expected<Identification> identify(std::span<const uint8_t> buffer, int64_t rows, int64_t k,
                                  std::optional<LayoutKind> kind,
                                  std::optional<std::span<const uint8_t>> original) {
  std::vector<Candidate> candidates = all_candidates(rows, k, kind);
  const std::string sizes = sizes_text(candidates);
  std::erase_if(candidates,
                [&](const Candidate& c) { return static_cast<size_t>(c.layout.size()) != buffer.size(); });
  if (candidates.empty()) {
    return Status::bad_input(fmt::format("{} bytes fit no layout of {} rows and K = {}; sizes would be: {}",
                                         buffer.size(), rows, k, sizes));
  }
  Identification result;
  for (const auto& [layout, name] : candidates) {
    const std::vector<uint8_t> plain = unpack(layout, buffer);
    const Padding padding = padding_of(layout, buffer, plain);
    Guess guess{.layout = name,
                .agreement = 0,
                .padding_fill = padding.fill,
                .padding_tells = padding.tells,
                .structure = structure_of(layout, plain)};
    if (original) {
      if (original->size() != plain.size()) continue;
      guess.agreement = agreement(plain, *original);
      if (layout.info().kind == LayoutKind::codes) {
        Guess swapped = guess;
        swapped.layout += ", high nibble first";
        swapped.agreement = agreement(nibbles_swapped(plain), *original);
        result.guesses.push_back(swapped);
      }
    }
    result.guesses.push_back(guess);
  }
  if (!original) {
    decide_by_statistics(result);
    return result;
  }
  if (result.guesses.empty()) {
    return Status::bad_input(
        fmt::format("the original has {} bytes, which is not the plain size of {} rows and K = {}",
                    original->size(), rows, k));
  }
  decide_by_original(result);
  return result;
}

}  // namespace mxproof::identify
