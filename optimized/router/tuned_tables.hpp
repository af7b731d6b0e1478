// The tuned tables, as text, built into the library.
#pragma once

#include <span>
#include <string_view>

namespace mxproof {

struct TunedTable {
  std::string_view arch;  ///< the file's name without .csv
  std::string_view csv;
};

std::span<const TunedTable> tuned_tables();

}  // namespace mxproof
