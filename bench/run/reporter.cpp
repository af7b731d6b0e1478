#include "bench/run/reporter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

namespace mxproof::bench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

/// The name that the row was registered under, without what the library appends.
Run with_plain_name(Run run) {
  run.run_name.time_type.clear();
  run.run_name.iterations.clear();
  run.run_name.repetitions.clear();
  return run;
}

std::string word(const std::string& label, const std::string& key) {
  const size_t start = label.find(key + "=");
  if (start == std::string::npos) return {};
  const size_t value = start + key.size() + 1;
  return label.substr(value, label.find(' ', value) - value);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// True for a run that its benchmark gave up; Google Benchmark 1.8 renamed what says so.
template <class R>
bool is_failed(const R& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return static_cast<int>(run.skipped) != 0;
  }
}

template <class R>
std::string message_of(const R& run) {
  if constexpr (requires { run.error_message; }) {
    return run.error_message;
  } else {
    return run.skip_message;
  }
}

}  // namespace

Reporter::Reporter(std::ostream& terminal) : terminal_(terminal) {
  json_.SetOutputStream(&text_);
}

bool Reporter::ReportContext(const Context& context) {
  return json_.ReportContext(context);
}

void Reporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> repeats;
  for (const Run& run : runs) {
    // Aggregates can be had from the repeats at any time.
    if (run.run_type == Run::RT_Iteration) repeats.push_back(with_plain_name(run));
  }
  if (repeats.empty()) return;
  json_.ReportRuns(repeats);
  print_row(repeats);
}

void Reporter::print_row(const std::vector<Run>& repeats) {
  ++rows_;
  const Run& first = repeats.front();
  const auto failed = std::find_if(repeats.begin(), repeats.end(), is_failed<Run>);
  if (failed != repeats.end()) {
    const std::string verdict = word(failed->report_label, "verdict");
    failures_ += verdict != "refused";
    terminal_ << fmt::format("{:<46} {:>12}  {}\n", first.run_name.str(), verdict, message_of(*failed));
    return;
  }
  const std::string verdict = word(first.report_label, "verdict");
  const auto counter = [&](const char* name) {
    const auto found = first.counters.find(name);
    return found == first.counters.end() ? 0.0 : static_cast<double>(found->second.value);
  };
  std::vector<double> times;
  for (const Run& run : repeats) times.push_back(run.GetAdjustedRealTime());
  if (const double waves = counter("wave_instructions"); waves > 0) {
    terminal_ << fmt::format("{:<46} {:>12}  {:.0f} wave-instructions\n", first.run_name.str(), verdict,
                             waves);
  } else {
    terminal_ << fmt::format("{:<46} {:>12}  {:10.3f} {}\n", first.run_name.str(), verdict, median_of(times),
                             benchmark::GetTimeUnitString(first.time_unit));
  }
  terminal_.flush();
}

void Reporter::Finalize() {
  json_.Finalize();
}

Expected<std::string> Reporter::json(const std::string& state_after) const {
  auto run = nlohmann::ordered_json::parse(text_.str(), nullptr, /*allow_exceptions=*/false);
  if (run.is_discarded() || !run.contains("context") || !run.contains("benchmarks")) {
    return Status::internal("Google Benchmark wrote no JSON");
  }
  auto& context = run["context"];
  context["host_name"] = "";
  context["executable"] = "mxproof_bench";
  context["state_after"] = state_after;
  std::string text = "{\n\"context\": " + context.dump(2) + ",\n\"benchmarks\": [\n";
  // Rows ran in random order; here they stand as they were registered.
  auto& rows = run["benchmarks"];
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.value("family_index", 0), a.value("repetition_index", 0)) <
           std::pair(b.value("family_index", 0), b.value("repetition_index", 0));
  });
  const char* separator = "";
  for (const auto& row : rows) {
    text += separator + row.dump();
    separator = ",\n";
  }
  return text + "\n]\n}\n";
}

}  // namespace mxproof::bench
