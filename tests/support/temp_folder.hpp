// A folder of a test's own. ctest runs cases side by side, and people run two builds at once: a fixed name
// under the temporary folder is shared by accident.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace mxproof {

/// Made on construction with a name that nobody else has, removed with all it holds on destruction.
class TempFolder {
 public:
  TempFolder() : path_(make()) {}
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Path of the file or folder `name` in it.
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  static std::filesystem::path make() {
    std::string name = testing::TempDir() + "mxproof_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make a folder like " << name;
    return name;
  }

  std::filesystem::path path_;
};

}  // namespace mxproof
