#include "bench/optimized/device_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <sstream>
#include <string>

#include "bench/optimized/devices_csv.hpp"

namespace mxproof::bench {

double DeviceFacts::roofline_us(double bytes, double flop) const {
  if (bytes_per_second <= 0 || flop_per_second <= 0) return 0;
  return 1e6 * std::max(bytes / bytes_per_second, flop / flop_per_second);
}

Expected<DeviceFacts> find_device_facts(std::string_view csv, std::string_view device) {
  constexpr int64_t kMiB = int64_t{1} << 20;
  DeviceFacts facts{256 * kMiB, 0, 0};
  std::istringstream in{std::string(csv)};
  int number = 0;
  bool header = true;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      if (line != "match,llc_mib,bandwidth_gbps,matrix_tflops") {
        return Status::bad_input(fmt::format("devices.csv:{}: unknown header {}", number, line));
      }
      header = false;
      continue;
    }
    const std::string match = line.substr(0, line.find(','));
    double cache = 0, bandwidth = 0, matrix = 0;
    const char* numbers = line.c_str() + std::min(match.size() + 1, line.size());
    if (std::sscanf(numbers, "%lf,%lf,%lf", &cache, &bandwidth, &matrix) != 3 || cache <= 0 ||
        bandwidth <= 0 || matrix <= 0) {
      return Status::bad_input(
          fmt::format("devices.csv:{}: three positive numbers should follow the name", number));
    }
    if (device.find(match) == std::string_view::npos) continue;
    return DeviceFacts{static_cast<int64_t>(cache) * kMiB, bandwidth * 1e9, matrix * 1e12};
  }
  return facts;
}

DeviceFacts device_facts(std::string_view device) {
  auto facts = find_device_facts(kDevicesCsv, device);
  assert(facts.ok() && "the table is part of the program");
  return *facts;
}

}  // namespace mxproof::bench
