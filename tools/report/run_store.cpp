#include "tools/report/run_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

namespace mxproof::report {

Expected<RunStore> read_store(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  if (error) {
    return Status::bad_input(
        fmt::format("{}: cannot be read as a folder of runs ({})", folder, error.message()));
  }
  std::sort(files.begin(), files.end());
  RunStore store;
  for (const fs::path& file : files) {
    auto run = read_run(file.string());
    if (run) {
      store.runs.push_back(std::move(*run));
    } else {
      store.problems.push_back(run.status().message());
    }
  }
  std::sort(store.runs.begin(), store.runs.end(), [](const RunFile& a, const RunFile& b) {
    return std::tie(a.context.time, a.file) < std::tie(b.context.time, b.file);
  });
  return store;
}

}  // namespace mxproof::report
