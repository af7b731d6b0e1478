// What the emulator has written down about launches: one line of JSON each, in a file that ctest names.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace mxproof {

/// The log from here on.
class CountsFile {
 public:
  CountsFile() {
    const char* file = std::getenv("MXPROOF_EMU_COUNTS");
    if (file != nullptr) file_ = file;
    std::ifstream stream(file_, std::ios::ate);
    from_ = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
  }
  /// False when nothing is logged: this has to be run through ctest, or with MXPROOF_EMU_COUNTS set.
  bool is_on() const { return !file_.empty(); }

  /// The launches since this object was made.
  std::vector<nlohmann::json> launches() const {
    std::ifstream file(file_);
    file.seekg(from_);
    std::vector<nlohmann::json> launches;
    for (std::string line; std::getline(file, line);) launches.push_back(nlohmann::json::parse(line));
    return launches;
  }

 private:
  std::string file_;
  std::streamoff from_ = 0;
};

}  // namespace mxproof
