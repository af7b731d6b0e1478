// The repository as the rules of the house see it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mxproof::house {

/// The folders at the top that hold code.
inline constexpr std::string_view kRooms[] = {"common", "reference", "optimized", "emulator",
                                              "tools",  "tests",     "bench"};

struct SourceFile {
  std::string path;  ///< From the root of the repository, with '/'.
  std::string room;  ///< Its first part; empty for files at the top.
  std::vector<std::string> lines;

  bool is_header() const { return path.ends_with(".hpp") || path.ends_with(".h"); }
  bool is_code() const {
    return is_header() || path.ends_with(".cpp") || path.ends_with(".hip") || path.ends_with(".def");
  }
  bool is_compiled() const { return path.ends_with(".cpp") || path.ends_with(".hip"); }
};

/// Root of the repository.
std::filesystem::path root();

/// Every text file of the repository: the rooms, data and the files at the top, without build folders.
const std::vector<SourceFile>& all_files();

/// The target of an `#include "..."` in this line; empty when it holds none.
std::string quoted_include(const std::string& line);
/// The target of an `#include <...>` in this line; empty when it holds none.
std::string angled_include(const std::string& line);

/// What a rule found: "PATH:LINE: what is wrong" in lines of their own.
class Findings {
 public:
  void add(const SourceFile& file, size_t line_index, const std::string& what);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace mxproof::house
