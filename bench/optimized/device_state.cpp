#include "bench/optimized/device_state.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

namespace mxproof::bench {
namespace {

#if defined(MXPROOF_PLATFORM_NVIDIA)

std::string read_state() {
  constexpr const char* kQuery =
      "nvidia-smi --query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu,enforced.power.limit "
      "--format=csv,noheader --id=0 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(kQuery, "r"), pclose);
  char line[256] = {};
  if (!pipe || std::fgets(line, sizeof(line), pipe.get()) == nullptr) return {};
  std::string text(line);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return "sm, memory, power, C, cap: " + text;
}

#else

/// The number in a file of the kernel's hardware monitor, scaled; negative when it is not there.
double monitor(const std::filesystem::path& file, double scale) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? value / scale : -1;
}

std::string read_state() {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/hwmon", error)) {
    std::string name;
    std::ifstream(entry.path() / "name") >> name;
    if (name != "amdgpu") continue;
    std::string text;
    const auto add = [&](const char* what, const char* file, double scale, const char* unit) {
      const double value = monitor(entry.path() / file, scale);
      if (value >= 0) text += fmt::format("{}{} {:.0f} {}", text.empty() ? "" : ", ", what, value, unit);
    };
    add("core", "freq1_input", 1e6, "MHz");
    add("memory", "freq2_input", 1e6, "MHz");
    add("power", "power1_average", 1e6, "W");
    add("power", "power1_input", 1e6, "W");
    add("cap", "power1_cap", 1e6, "W");
    add("temperature", "temp1_input", 1e3, "C");
    return text;
  }
  return {};
}

#endif

}  // namespace

std::string device_state(bool emulated) {
  if (emulated) return "emulated, no clocks";
  const std::string text = read_state();
  return text.empty() ? "clocks and power could not be read" : text;
}

}  // namespace mxproof::bench
