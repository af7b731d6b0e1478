#include "emulator/watch/roofline.hpp"

#include <algorithm>

namespace mxproof::emulator {
namespace {

// MI355X. Source: AMD's data sheet.
constexpr double kBytesPerMicrosecond = 8e6;  // 8 TB/s
constexpr double kCyclesPerMicrosecond = 2400;
constexpr uint64_t kComputeUnits = 256;
constexpr double kSimds = 4;
constexpr double kCyclesPerVectorInstruction = 4;  // 64 lanes on 16-wide units

}  // namespace

double Roofline::us() const {
  return std::max({memory_us, matrix_us, vector_us, lds_us});
}

Roofline roofline(uint64_t groups, double matrix_cycles, uint64_t vector_instructions,
                  const AccessCounts& accesses) {
  const GlobalCounts& global = accesses.global;
  const auto units = static_cast<double>(std::clamp<uint64_t>(groups, 1, kComputeUnits));
  const double simd_cycles = units * kSimds * kCyclesPerMicrosecond;
  Roofline result;
  result.memory_us = static_cast<double>(global.distinct_load_sectors + global.distinct_store_sectors) *
                     kSectorBytes / kBytesPerMicrosecond;
  result.matrix_us = matrix_cycles / simd_cycles;
  result.vector_us = static_cast<double>(vector_instructions) * kCyclesPerVectorInstruction / simd_cycles;
  result.lds_us = static_cast<double>(accesses.lds.cycles) / (units * kCyclesPerMicrosecond);
  return result;
}

}  // namespace mxproof::emulator
