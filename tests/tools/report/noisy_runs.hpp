// Synthetic benchmark runs with the noise of a real GPU: a common drift of the whole run, a shift of each row
// from run to run, a slow wander during the run, repeat noise, and outliers that only ever make a repeat
// slower.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tools/report/run_file.hpp"

namespace mxproof::report {

struct Noise {
  double run_drift = 0.010;     ///< sigma of a factor common to all rows of a run
  double row_shift = 0.008;     ///< sigma of a factor of one row in one run
  double wander = 0.003;        ///< sigma of each step of the random walk along the repeats
  double repeat = 0.010;        ///< sigma of one repeat
  double outlier_share = 0.05;  ///< share of repeats that are disturbed
  double outlier_size = 0.30;   ///< a disturbed repeat is up to this much slower
};

/// A run of `names`, each row truly taking `base_us` times its factor in `slowdown` (1 where there is none).
inline RunFile noisy_run(const std::vector<std::string>& names, const std::vector<double>& base_us,
                         const std::vector<double>& slowdown, const std::string& build, uint64_t seed,
                         size_t repeats = 9, const Noise& noise = {}) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  RunFile run;
  run.file = build + "-" + std::to_string(seed) + ".json";
  run.context.device = "Test GPU";
  run.context.build_id = build;
  run.context.commit = build;
  const double drift = std::exp(noise.run_drift * normal(random));
  for (size_t i = 0; i < names.size(); ++i) {
    Row row;
    row.text = names[i];
    row.name = *parse_bench_name(names[i]);
    row.verdict = "bit-equal";
    row.kind = names[i].starts_with("peer") || names[i].starts_with("floor") ? "peer" : "route";
    const double shift = std::exp(noise.row_shift * normal(random));
    double wander = 0;
    for (size_t r = 0; r < repeats; ++r) {
      wander += noise.wander * normal(random);
      double factor = drift * shift * std::exp(wander + noise.repeat * normal(random));
      if (uniform(random) < noise.outlier_share) factor *= 1 + noise.outlier_size * uniform(random);
      row.times_us.push_back(base_us[i] * slowdown[i] * factor);
    }
    run.rows.push_back(std::move(row));
  }
  return run;
}

}  // namespace mxproof::report
