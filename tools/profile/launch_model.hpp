// A time for an emulated launch, from what it executed: a model of how an MI355X would share the work out,
// not a measurement and no latency. It is there to compare ways of cutting the same product up.
#pragma once

#include "tools/profile/launch_log.hpp"

namespace mxproof {

/// MI355X (CDNA 4). A SIMD is 16 lanes wide, so that an instruction of a wave of 64 takes it four cycles; an
/// FP4 16x16x128 takes the matrix core sixteen.
struct ModelledChip {
  double compute_units = 256;
  double simds_per_unit = 4;
  double clock_hz = 2.4e9;
  double bytes_per_second = 8e12;
  double cycles_per_instruction = 4;
  double cycles_per_matrix_instruction = 16;
  double launch_us = 1;  ///< From the end of one kernel to the start of the next of the same stream.
};

/// The longest of: the cycles of the SIMD with the most waves, with waves spread over the SIMDs work-group by
/// work-group; `bytes` at full bandwidth; and what the machine itself says. Plus launch_us.
double modelled_us(const LoggedLaunch& launch, double bytes, const ModelledChip& chip = {});

}  // namespace mxproof
