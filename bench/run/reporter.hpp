// Where rows go: one line each on the terminal, and Google Benchmark's own JSON into a string.
#pragma once

#include <benchmark/benchmark.h>

#include <sstream>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::bench {

class Reporter final : public benchmark::BenchmarkReporter {
 public:
  explicit Reporter(std::ostream& terminal);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  size_t rows() const { return rows_; }  ///< Rows with at least one repeat.
  size_t failures() const {
    return failures_;
  }  ///< Rows of which a repeat ended in an error other than a refusal.

  /// The whole run as JSON text, one line a repeat, with `state_after` added to the context and the host's
  /// name left out: what is committed should not name machines.
  Expected<std::string> json(const std::string& state_after) const;

 private:
  void print_row(const std::vector<Run>& repeats);

  std::ostream& terminal_;
  std::ostringstream text_;
  benchmark::JSONReporter json_;
  size_t rows_ = 0;
  size_t failures_ = 0;
};

}  // namespace mxproof::bench
