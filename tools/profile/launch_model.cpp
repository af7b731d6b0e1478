#include "tools/profile/launch_model.hpp"

#include <algorithm>
#include <cmath>

namespace mxproof {

double modelled_us(const LoggedLaunch& launch, double bytes, const ModelledChip& chip) {
  if (launch.waves == 0 || launch.groups == 0) return chip.launch_us;
  const auto waves = static_cast<double>(launch.waves);
  const auto groups = static_cast<double>(launch.groups);
  const double matrix = static_cast<double>(launch.matrix_instructions) / waves;
  const double other = static_cast<double>(launch.wave_instructions) / waves - matrix;
  const double wave_cycles =
      other * chip.cycles_per_instruction + matrix * chip.cycles_per_matrix_instruction;
  // A work-group stays on one compute unit and spreads its waves over its SIMDs.
  const double groups_of_a_unit = std::ceil(groups / chip.compute_units);
  const double waves_of_a_simd = std::ceil(groups_of_a_unit * waves / groups / chip.simds_per_unit);
  const double execution_us = 1e6 * waves_of_a_simd * wave_cycles / chip.clock_hz;
  const double memory_us = 1e6 * bytes / chip.bytes_per_second;
  return std::max({execution_us, memory_us, launch.modelled_us.value_or(0)}) + chip.launch_us;
}

}  // namespace mxproof
