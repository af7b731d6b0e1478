// The least time that an MI355X could take for what a launch did: each of its parts at its peak rate, the
// slowest counts. It leaves out latency, launch overhead and everything that keeps a kernel from its peak, so
// it is a bound, not a prediction: `modelled`.
#pragma once

#include <cstdint>

#include "emulator/watch/access_counts.hpp"

namespace mxproof::emulator {

struct Roofline {
  double memory_us = 0;  ///< Distinct sectors, loaded and stored, at 8 TB/s.
  double matrix_us = 0;  ///< Matrix instructions on the SIMDs that have a work-group.
  double vector_us = 0;  ///< Vector instructions at 4 cycles each on the same.
  double lds_us = 0;     ///< LDS cycles of the compute units that have a work-group.
  double us() const;     ///< The slowest.
};

/// `matrix_cycles` and `vector_instructions` summed over the waves of `groups` work-groups.
Roofline roofline(uint64_t groups, double matrix_cycles, uint64_t vector_instructions,
                  const AccessCounts& accesses);

}  // namespace mxproof::emulator
