// The store of runs: a folder of Google Benchmark JSON files to which runs are only ever added.
#pragma once

#include <string>
#include <vector>

#include "common/status.hpp"
#include "tools/report/run_file.hpp"

namespace mxproof::report {

struct RunStore {
  std::vector<RunFile> runs;          ///< By date, oldest first; equal dates by file name.
  std::vector<std::string> problems;  ///< One sentence for each file that could not be used.
};

/// Reads every *.json below `folder` (not deeper). A file that cannot be used becomes a problem and hides no
/// other. Bad input only when the folder itself cannot be read.
Expected<RunStore> read_store(const std::string& folder);

}  // namespace mxproof::report
