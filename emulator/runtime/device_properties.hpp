// What the emulated device says of itself: an MI355X, or an MI300X (emulator/loader/chip.hpp).
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>

#include "emulator/loader/chip.hpp"
#include "emulator/runtime/properties_r0600.hpp"

namespace mxproof::emulator {

/// The layout of HIP 5 and earlier, and that of HIP 6 and 7. Both are made of one set of numbers.
hipDeviceProp_t properties_r0000(uint64_t total_bytes, const Chip& chip);
hipDeviceProp_tR0600 properties_r0600(uint64_t total_bytes, const Chip& chip);

/// One attribute; false for one that this device has no answer to.
bool device_attribute(int attribute, uint64_t total_bytes, const Chip& chip, int* value);

}  // namespace mxproof::emulator
