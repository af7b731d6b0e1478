// A progress bar on a terminal's standard error; silent anywhere else.
//
//   [###########.............]  45 %  5 of 10  64x7168x2048 staged: reference
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace mxproof {

class Progress {
 public:
  /// `total` is the sum of all work in any unit; it must be positive.
  explicit Progress(double total, std::FILE* stream = stderr);
  /// Removes the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Adds finished work and says what goes on now. Redraws at most ten times a second unless the label
  /// changes.
  void advance(double work, const std::string& label);
  /// Removes the bar, so that a line can be printed; the next advance draws it again.
  void clear();

 private:
  void draw();

  double total_;
  double done_ = 0;
  std::string label_;
  std::FILE* stream_;
  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace mxproof
