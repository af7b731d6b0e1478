// Writes the dashboard: one folder that opens from disk, offline, without a server.
#pragma once

#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::report {

struct PageOptions {
  std::string runs;      ///< Folder of runs.
  std::string out;       ///< Folder to write; made when missing.
  std::string chart_js;  ///< Chart.js 3 as one script; empty means where the build found Debian's.
};

struct PageSummary {
  std::string index;  ///< Path of the page.
  size_t runs = 0;
  std::vector<std::string> problems;  ///< One sentence for each file of the store that could not be used.
};

/// Reads the store and writes index.html with its scripts, styles and data. Bad input: a store that cannot be
/// read or holds no usable run, a folder that cannot be written, no Chart.js.
Expected<PageSummary> write_page(const PageOptions& options);

}  // namespace mxproof::report
