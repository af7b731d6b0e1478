// What an emulated device did, launch by launch, from the file to which its runtime appends a line a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof {

struct LoggedLaunch {
  std::string kernel;  ///< As the compiler mangled it.
  int64_t groups = 0;
  int64_t waves = 0;
  int64_t wave_instructions = 0;
  int64_t matrix_instructions = 0;    ///< Part of wave_instructions.
  std::optional<double> modelled_us;  ///< Where the machine gives a time of its own.
};

class LaunchLog {
 public:
  /// Sets the environment variable that makes the emulated runtime write down its launches, in a file of its
  /// own. Before the first HIP call of the process.
  static LaunchLog start();
  ~LaunchLog();
  LaunchLog(LaunchLog&& other) noexcept;
  LaunchLog& operator=(LaunchLog&&) = delete;

  /// The launches since the last call, in order. None is an error: nothing was emulated.
  Expected<std::vector<LoggedLaunch>> take();

 private:
  explicit LaunchLog(std::string file) : file_(std::move(file)) {}

  std::string file_;
  int64_t read_ = 0;  ///< Bytes of the file that have been taken.
};

}  // namespace mxproof
