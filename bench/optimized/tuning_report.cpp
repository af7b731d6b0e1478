#include "bench/optimized/tuning_report.hpp"

#include <fmt/format.h>

#include "common/shapes/shape_list.hpp"

namespace mxproof::bench {
namespace {

std::string unit(const TuningOrigin& origin) {
  return origin.emulated ? "us modelled" : "us";
}

std::string row(const Measurement& m) {
  const TileConfig& tile = m.choice.tile;
  return fmt::format("{},{},{},{},{},{},{},{},{}", m.shape.m, m.shape.n, m.shape.k,
                     route_name(m.choice.route), tile.tile_m, tile.tile_n, tile.waves, tile.slices,
                     m.choice.splits);
}

std::string origin_line(const TuningOrigin& origin) {
  return fmt::format("# {} on {}, {}; commit {}, {}. {}\n", origin.emulated ? "Modelled" : "Measured",
                     origin.device, origin.driver, origin.commit, origin.date,
                     origin.emulated ? "From the instructions executed; not a time of any chip."
                                     : "Cold operands, calls in a replayed graph.");
}

}  // namespace

std::string tuned_table(const std::vector<std::vector<Measurement>>& measurements,
                        const TuningOrigin& origin) {
  std::string text = "# Written by mxproof_tune; every row was verified bit by bit.\n" + origin_line(origin) +
                     "# A shape gets its first row; the others are for who asks for their route.\n" +
                     std::string(Router::kHeader) + "\n";
  for (const auto& of_shape : measurements) {
    for (const Measurement& m : best_of_routes(of_shape)) {
      text += fmt::format("# {:.2f} {}\n{}\n", m.us, unit(origin), row(m));
    }
  }
  return text;
}

std::string measurements_table(const std::vector<std::vector<Measurement>>& measurements,
                               const TuningOrigin& origin) {
  std::string text = origin_line(origin) +
                     fmt::format("{},verdict,{}\n", Router::kHeader, origin.emulated ? "modelled_us" : "us");
  for (const auto& of_shape : measurements) {
    for (const Measurement& m : of_shape) {
      text += fmt::format("{},{},{:.3f}\n", row(m), name_of(m.check.verdict), m.us);
    }
  }
  return text;
}

std::string best_text(const std::vector<Measurement>& measurements, const TuningOrigin& origin) {
  std::string text;
  for (const Measurement& m : best_of_routes(measurements)) {
    text += fmt::format("  {:<10} {:>9.2f} {}  {}{}\n", route_name(m.choice.route), m.us, unit(origin),
                        to_string(m.choice.tile),
                        m.choice.splits > 1 ? fmt::format(", K in {}", m.choice.splits) : "");
  }
  return text;
}

std::string faults_text(const std::vector<Measurement>& measurements) {
  std::string text;
  for (const Measurement& m : measurements) {
    if (m.check.allows_time() || m.check.verdict == Verdict::refused) continue;
    text +=
        fmt::format("  {}: {}, tile {}, K in {}: {}: {}\n", to_string(m.shape), route_name(m.choice.route),
                    to_string(m.choice.tile), m.choice.splits, name_of(m.check.verdict), m.check.message);
  }
  return text;
}

}  // namespace mxproof::bench
