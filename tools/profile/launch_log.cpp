#include "tools/profile/launch_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace mxproof {
namespace {

Expected<LoggedLaunch> parse_line(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Status::internal("a line of the emulated runtime's log is no JSON object");
  LoggedLaunch launch;
  launch.kernel = json.value("kernel", std::string());
  launch.groups = json.value("groups", int64_t{0});
  launch.waves = json.value("waves", int64_t{0});
  launch.wave_instructions = json.value("wave_instructions", int64_t{0});
  if (json.contains("by_class")) launch.matrix_instructions = json["by_class"].value("matrix", int64_t{0});
  if (json.contains("modelled_us") && json["modelled_us"].is_number())
    launch.modelled_us = json["modelled_us"].get<double>();
  return launch;
}

}  // namespace

LaunchLog LaunchLog::start() {
  // A process that starts itself again to get at the emulator hands the name on: its own id stays the same.
  std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("mxproof_launches_{}.jsonl", getpid())).string();
  setenv("MXPROOF_EMU_COUNTS", file.c_str(), /*overwrite=*/1);
  return LaunchLog(std::move(file));
}

LaunchLog::LaunchLog(LaunchLog&& other) noexcept
    : file_(std::exchange(other.file_, {})), read_(other.read_) {}

LaunchLog::~LaunchLog() {
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
}

Expected<std::vector<LoggedLaunch>> LaunchLog::take() {
  std::vector<LoggedLaunch> launches;
  std::ifstream in(file_);
  in.seekg(read_);
  for (std::string line; std::getline(in, line);) {
    read_ += static_cast<int64_t>(line.size()) + 1;
    auto launch = parse_line(line);
    if (!launch) return launch.status();
    launches.push_back(std::move(*launch));
  }
  if (launches.empty()) return Status::internal("the emulated runtime wrote no counts");
  return launches;
}

}  // namespace mxproof
