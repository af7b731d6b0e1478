#include "bench/optimized/device_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>
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
  int number_of_line = 0;
  bool header = true;
  for (std::string line; std::getline(in, line);) {
    ++number_of_line;
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      if (line != "match,llc_mib,bandwidth_gbps,matrix_tflops") {
        return Status::bad_input(fmt::format("devices.csv:{}: unknown header {}", number_of_line, line));
      }
      header = false;
      continue;
    }
    const std::string match = line.substr(0, line.find(','));
    std::array<double, 3> numbers{};
    const char* at = line.c_str() + match.size();
    bool good = true;
    for (double& number : numbers) {
      char* end = nullptr;
      if (*at == ',') number = std::strtod(at + 1, &end);
      good = good && end != nullptr && end != at + 1 && number > 0;
      if (!good) break;
      at = end;
    }
    if (!good || *at != '\0') {
      return Status::bad_input(
          fmt::format("devices.csv:{}: three positive numbers should follow the name", number_of_line));
    }
    if (device.find(match) == std::string_view::npos) continue;
    return DeviceFacts{static_cast<int64_t>(numbers[0]) * kMiB, numbers[1] * 1e9, numbers[2] * 1e12};
  }
  return facts;
}

DeviceFacts device_facts(std::string_view device) {
  auto facts = find_device_facts(kDevicesCsv, device);
  assert(facts.ok() && "the table is part of the program");
  return *facts;
}

}  // namespace mxproof::bench
