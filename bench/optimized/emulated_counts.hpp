// What the emulator counted during a stretch of work, from the file that its runtime appends a line a launch
// to.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/status.hpp"

namespace mxproof::bench {

class EmulatedCounts {
 public:
  /// Sets the environment variable that makes the emulated runtime write down its launches, in a file of its
  /// own. Before the first HIP call.
  static EmulatedCounts start();
  ~EmulatedCounts();
  EmulatedCounts(EmulatedCounts&& other) noexcept;
  EmulatedCounts& operator=(EmulatedCounts&&) = delete;

  /// Sums over the launches since the last call: launches, wave_instructions, waves, matrix (instructions),
  /// and modelled_us where the emulator gives it.
  Expected<std::map<std::string, double>> take();

 private:
  explicit EmulatedCounts(std::string file) : file_(std::move(file)) {}

  std::string file_;
  std::int64_t read_ = 0;  ///< Bytes of the file that have been taken.
};

}  // namespace mxproof::bench
