// Figures that others published for this work, kept apart from everything measured here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/shape.hpp"
#include "common/status.hpp"

namespace mxproof::report {

/// One published time.
struct PublishedFigure {
  std::string device;  ///< "MI355X"
  GemmShape shape;
  std::string series;  ///< What was measured: "entry, benchmark run", "vendor baseline", ...
  std::string path;    ///< How that entry did it.
  double time_us = 0;
};

/// Parses the CSV kept in data/published: a header line `device,m,n,k,series,path,time_us`, then one figure a
/// line, `#` starting a comment line. Bad input names file and line.
Expected<std::vector<PublishedFigure>> parse_published(std::string_view csv, const std::string& file);

}  // namespace mxproof::report
