#include "tools/report/run_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/report/device_name.hpp"
#include "tools/report/json_text.hpp"
#include "tools/report/statistics.hpp"

namespace mxproof::report {
namespace {

using nlohmann::json;

/// From best to worst; a row takes the worst of its repeats.
constexpr std::array<std::string_view, 7> kVerdicts = {"no-output", "bit-equal",  "within-bound", "refused",
                                                       "error",     "unverified", "mismatch"};

size_t rank_of(std::string_view verdict) {
  return static_cast<size_t>(std::find(kVerdicts.begin(), kVerdicts.end(), verdict) - kVerdicts.begin());
}

/// Fields that Google Benchmark itself writes next to the counters.
constexpr std::array<std::string_view, 9> kLibraryNumbers = {"family_index",    "per_family_instance_index",
                                                             "repetitions",     "repetition_index",
                                                             "threads",         "iterations",
                                                             "real_time",       "cpu_time",
                                                             "items_per_second"};

std::string text_field(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> number_field(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

bool flag_field(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && ((found->is_boolean() && found->get<bool>()) || *found == "true");
}

/// The value of `key=value` among the space-separated words of a label.
std::string label_word(std::string_view label, std::string_view key) {
  while (!label.empty()) {
    const size_t end = std::min(label.find(' '), label.size());
    const std::string_view word = label.substr(0, end);
    if (word.size() > key.size() && word.starts_with(key) && word[key.size()] == '=') {
      return std::string(word.substr(key.size() + 1));
    }
    label.remove_prefix(std::min(end + 1, label.size()));
  }
  return {};
}

std::optional<double> microseconds_per(std::string_view unit) {
  if (unit == "ns") return 1e-3;
  if (unit == "us") return 1.0;
  if (unit == "ms") return 1e3;
  if (unit == "s") return 1e6;
  return std::nullopt;
}

/// Reads fixed-width decimal fields and the characters between them.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  /// The next `digits` characters as a number; a failure is remembered.
  int number(size_t digits) {
    int value = 0;
    const std::string_view field = rest_.substr(0, digits);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    ok_ = ok_ && error == std::errc() && field.size() == digits && end == field.data() + digits && value >= 0;
    rest_.remove_prefix(field.size());
    return value;
  }
  /// The next character if it is one of `allowed`.
  char one_of(std::string_view allowed) {
    ok_ = ok_ && !rest_.empty() && allowed.find(rest_.front()) != std::string_view::npos;
    if (!ok_) return '\0';
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

/// "2031-05-06T07:08:09+02:00" (or Z) to seconds since 1970; nothing when it is no such date.
std::optional<int64_t> parse_date(std::string_view text) {
  FieldReader in(text);
  const int year = in.number(4);
  in.one_of("-");
  const int month = in.number(2);
  in.one_of("-");
  const int day = in.number(2);
  in.one_of("T");
  const int hour = in.number(2);
  in.one_of(":");
  const int minute = in.number(2);
  in.one_of(":");
  const int second = in.number(2);
  int64_t zone_seconds = 0;
  if (const char sign = in.one_of("Z+-"); sign == '+' || sign == '-') {
    zone_seconds = in.number(2) * 3600;
    in.one_of(":");
    zone_seconds += in.number(2) * 60;
    if (sign == '-') zone_seconds = -zone_seconds;
  }
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!in.complete() || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return sys_days(date).time_since_epoch().count() * int64_t{86400} + hour * 3600 + minute * 60 + second -
         zone_seconds;
}

Expected<RunContext> parse_context(const json& object, const std::string& file) {
  RunContext context;
  context.date = text_field(object, "date");
  context.commit = text_field(object, "commit");
  context.dirty = flag_field(object, "dirty");
  context.build_id = text_field(object, "build_id");
  context.compiler = text_field(object, "compiler");
  context.flags = text_field(object, "flags");
  context.device = text_field(object, "device");
  context.driver = text_field(object, "driver");
  context.seed = text_field(object, "seed");
  context.state_before = text_field(object, "state_before");
  context.state_after = text_field(object, "state_after");
  // Either sign is enough: a run that says "(emulated)" must never show a latency.
  context.emulated = flag_field(object, "emulated") || is_emulated_name(context.device);
  for (const auto& [key, value] : {std::pair<const char*, const std::string*>{"device", &context.device},
                                   {"build_id", &context.build_id},
                                   {"commit", &context.commit},
                                   {"date", &context.date}}) {
    if (value->empty()) {
      return Status::bad_input(
          fmt::format("{}: the context has no '{}', so this is no run of mxproof_bench", file, key));
    }
  }
  const auto time = parse_date(context.date);
  if (!time) {
    return Status::bad_input(
        fmt::format("{}: the date '{}' is not like 2031-05-06T07:08:09+00:00", file, context.date));
  }
  context.time = *time;
  return context;
}

/// What one entry of `benchmarks` says about its row.
struct Repeat {
  std::string verdict;
  std::string message;
  std::optional<double> time_us;
  std::map<std::string, double> counters;
};

Repeat parse_repeat(const json& entry, std::string_view label, bool emulated) {
  Repeat repeat;
  repeat.verdict = label_word(label, "verdict");
  if (rank_of(repeat.verdict) == kVerdicts.size()) repeat.verdict = "unverified";
  if (flag_field(entry, "error_occurred")) {
    repeat.message = text_field(entry, "error_message");
    if (verdict_allows_time(repeat.verdict) || repeat.verdict == "unverified") repeat.verdict = "error";
  } else if (flag_field(entry, "skipped")) {
    repeat.message = text_field(entry, "skip_message");
    repeat.verdict = "refused";
  }
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) continue;
    if (std::find(kLibraryNumbers.begin(), kLibraryNumbers.end(), key) != kLibraryNumbers.end()) continue;
    repeat.counters[key] = value.get<double>();
  }
  if (emulated || !verdict_allows_time(repeat.verdict)) return repeat;
  const auto time = number_field(entry, "real_time");
  const auto unit = microseconds_per(text_field(entry, "time_unit"));
  if (!time || !unit || !std::isfinite(*time) || *time <= 0) {
    repeat.verdict = "error";
    repeat.message = "the time is not a positive number with a unit of ns, us, ms or s";
    return repeat;
  }
  repeat.time_us = *time * *unit;
  return repeat;
}

/// Collects the repeats of each row, in order of first appearance.
class RowCollector {
 public:
  explicit RowCollector(bool emulated) : emulated_(emulated) {}

  /// One element of `benchmarks`; false when its name is none of ours.
  bool add(const json& entry) {
    if (text_field(entry, "run_type") == "aggregate") return true;
    const std::string text = text_field(entry, "name");
    auto name = parse_bench_name(text);
    if (!name) {
      if (first_mistake_.empty()) first_mistake_ = name.status().message();
      return false;
    }
    const std::string label = text_field(entry, "label");
    Row& row = row_of(text, *name);
    const Repeat repeat = parse_repeat(entry, label, emulated_);
    if (row.verdict.empty() || rank_of(repeat.verdict) > rank_of(row.verdict)) {
      row.verdict = repeat.verdict;
      row.message = repeat.message;
      row.id = label_word(label, "id");
    }
    if (row.kind.empty()) row.kind = label_word(label, "kind");
    if (repeat.time_us) row.times_us.push_back(*repeat.time_us);
    for (const auto& [key, value] : repeat.counters) repeats_[key][index_].push_back(value);
    return true;
  }

  std::vector<Row> finish() && {
    for (const auto& [key, by_row] : repeats_) {
      for (const auto& [row, values] : by_row) rows_[row].counters[key] = median(values);
    }
    for (Row& row : rows_) {
      // One wrong repeat takes the time from all of them.
      if (!verdict_allows_time(row.verdict)) row.times_us.clear();
    }
    return std::move(rows_);
  }

  const std::string& first_mistake() const { return first_mistake_; }

 private:
  Row& row_of(const std::string& text, const BenchName& name) {
    const auto [found, is_new] = index_of_.try_emplace(text, rows_.size());
    index_ = found->second;
    if (is_new) {
      Row row;
      row.text = text;
      row.name = name;
      rows_.push_back(std::move(row));
    }
    return rows_[index_];
  }

  bool emulated_;
  size_t index_ = 0;
  std::vector<Row> rows_;
  std::map<std::string, size_t> index_of_;
  std::map<std::string, std::map<size_t, std::vector<double>>> repeats_;
  std::string first_mistake_;
};

}  // namespace

bool verdict_allows_time(std::string_view verdict) {
  return verdict == "bit-equal" || verdict == "within-bound" || verdict == "no-output";
}

Expected<RunFile> parse_run(std::string_view text, const std::string& file) {
  auto parsed = parse_json(text, file);
  if (!parsed) return parsed.status();
  const json& root = *parsed;
  if (!root.is_object() || !root.contains("context") || !root["context"].is_object() ||
      !root.contains("benchmarks") || !root["benchmarks"].is_array()) {
    return Status::bad_input(fmt::format(
        "{}: not Google Benchmark JSON; it needs an object 'context' and a list 'benchmarks'", file));
  }
  auto context = parse_context(root["context"], file);
  if (!context) return context.status();
  RowCollector collector(context->emulated);
  size_t strangers = 0;
  for (const json& entry : root["benchmarks"]) {
    if (!entry.is_object() || !collector.add(entry)) ++strangers;
  }
  if (strangers > 0) {
    return Status::bad_input(
        fmt::format("{}: {} of its rows are none of mxproof_bench; {}", file, strangers,
                    collector.first_mistake().empty() ? "they are no objects" : collector.first_mistake()));
  }
  RunFile run{file, std::move(*context), std::move(collector).finish()};
  if (run.rows.empty()) {
    return Status::bad_input(
        fmt::format("{}: no single repeat in it; run without --benchmark_report_aggregates_only", file));
  }
  return run;
}

Expected<RunFile> read_run(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.status();
  return parse_run(*text, std::filesystem::path(path).filename().string());
}

}  // namespace mxproof::report
