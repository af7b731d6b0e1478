#include "bench/optimized/emulated_counts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace mxproof::bench {

EmulatedCounts EmulatedCounts::start() {
  std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("mxproof_bench_{}.jsonl", getpid())).string();
  setenv("MXPROOF_EMU_STATS", file.c_str(), /*overwrite=*/1);
  return EmulatedCounts(std::move(file));
}

EmulatedCounts::EmulatedCounts(EmulatedCounts&& other) noexcept
    : file_(std::exchange(other.file_, {})), read_(other.read_) {}

EmulatedCounts::~EmulatedCounts() {
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
}

Expected<std::map<std::string, double>> EmulatedCounts::take() {
  std::map<std::string, double> sums;
  std::ifstream in(file_);
  in.seekg(read_);
  for (std::string line; std::getline(in, line);) {
    read_ += static_cast<std::int64_t>(line.size()) + 1;
    const auto launch = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!launch.is_object()) return Status::internal(fmt::format("{}: a line that is no JSON object", file_));
    sums["launches"] += 1;
    for (const char* key : {"wave_instructions", "waves", "modelled_us"}) {
      if (launch.contains(key) && launch[key].is_number()) sums[key] += launch[key].get<double>();
    }
    if (launch.contains("by_class")) sums["matrix_instructions"] += launch["by_class"].value("matrix", 0.0);
  }
  if (sums.empty()) return Status::internal("the emulated runtime wrote no counts");
  return sums;
}

}  // namespace mxproof::bench
