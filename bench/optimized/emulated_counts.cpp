#include "bench/optimized/emulated_counts.hpp"

namespace mxproof::bench {

Expected<std::map<std::string, double>> EmulatedCounts::take() {
  const auto launches = log_.take();
  if (!launches) return launches.status();
  std::map<std::string, double> sums;
  for (const LoggedLaunch& launch : *launches) {
    sums["launches"] += 1;
    sums["wave_instructions"] += static_cast<double>(launch.wave_instructions);
    sums["waves"] += static_cast<double>(launch.waves);
    sums["matrix_instructions"] += static_cast<double>(launch.matrix_instructions);
    if (launch.modelled_us) sums["modelled_us"] += *launch.modelled_us;
  }
  return sums;
}

}  // namespace mxproof::bench
