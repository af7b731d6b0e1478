// Peaks of a device and the size of its last-level cache, from data/devices/devices.csv.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/status.hpp"

namespace mxproof::bench {

struct DeviceFacts {
  int64_t cache_bytes = 0;      ///< Last-level cache.
  double bytes_per_second = 0;  ///< Memory bandwidth; 0 when unknown.
  double flop_per_second = 0;   ///< Dense matrix peak in the format used; 0 when unknown.

  /// The least time that `bytes` and `flop` need, in us; 0 when the peaks are unknown.
  double roofline_us(double bytes, double flop) const;
};

/// The first row whose `match` occurs in `device`. A device without a row has a cache of 256 MiB (more than
/// any that is known) and no peaks.
DeviceFacts device_facts(std::string_view device);

/// The same from the text of a table; bad input names the line.
Expected<DeviceFacts> find_device_facts(std::string_view csv, std::string_view device);

}  // namespace mxproof::bench
