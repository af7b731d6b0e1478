#include "tools/report/page_data.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "common/shapes/shape_list.hpp"
#include "tools/report/noise_rule.hpp"
#include "tools/report/statistics.hpp"

namespace mxproof::report {
namespace {

using nlohmann::ordered_json;

/// One row of one device through all runs.
struct Series {
  size_t device = 0;
  std::string kind;
  BenchName name;
  std::vector<std::pair<size_t, const Row*>> points;  ///< Run and row, oldest first.
};

std::vector<std::string> devices_of(const RunStore& store) {
  std::vector<std::string> devices;
  for (const RunFile& run : store.runs) {
    if (std::find(devices.begin(), devices.end(), run.context.device) == devices.end()) {
      devices.push_back(run.context.device);
    }
  }
  return devices;
}

std::vector<Series> series_of(const RunStore& store, const std::vector<std::string>& devices) {
  std::vector<Series> all;
  std::map<std::pair<size_t, std::string>, size_t> index;
  for (size_t r = 0; r < store.runs.size(); ++r) {
    const RunFile& run = store.runs[r];
    const auto device =
        static_cast<size_t>(std::find(devices.begin(), devices.end(), run.context.device) - devices.begin());
    for (const Row& row : run.rows) {
      const auto [found, is_new] = index.try_emplace({device, row.text}, all.size());
      if (is_new) all.push_back({device, row.kind, row.name, {}});
      all[found->second].points.emplace_back(r, &row);
    }
  }
  return all;
}

ordered_json run_json(const RunFile& run, const std::vector<std::string>& devices) {
  const RunContext& c = run.context;
  return {{"file", run.file},
          {"date", c.date},
          {"time", c.time},
          {"commit", c.commit},
          {"dirty", c.dirty},
          {"build_id", c.build_id},
          {"compiler", c.compiler},
          {"flags", c.flags},
          {"device", std::find(devices.begin(), devices.end(), c.device) - devices.begin()},
          {"driver", c.driver},
          {"seed", c.seed},
          {"state_before", c.state_before},
          {"state_after", c.state_after}};
}

/// Drifts between pairs of runs, each computed once.
class Drifts {
 public:
  explicit Drifts(const RunStore& store) : store_(store) {}

  double between(size_t before, size_t after) {
    const auto [found, is_new] = known_.try_emplace({before, after}, 0.0);
    if (is_new) found->second = drift_between(store_.runs[before], store_.runs[after]).value_or(0);
    return found->second;
  }

 private:
  const RunStore& store_;
  std::map<std::pair<size_t, size_t>, double> known_;
};

/// The last point before `at` that comes from another build and passed.
std::optional<size_t> base_of(const RunStore& store, const Series& series, size_t at) {
  const std::string& build = store.runs[series.points[at].first].context.build_id;
  for (size_t i = at; i-- > 0;) {
    const auto& [run, row] = series.points[i];
    if (store.runs[run].context.build_id != build && verdict_allows_time(row->verdict)) return i;
  }
  return std::nullopt;
}

ordered_json point_json(const RunStore& store, const Series& series, size_t at, Drifts& drifts) {
  const auto& [run, row] = series.points[at];
  ordered_json point = {{"run", run}, {"verdict", row->verdict}};
  if (!row->id.empty()) point["id"] = row->id;
  if (!row->message.empty()) point["message"] = row->message;
  if (row->has_time()) {
    const Summary s = summarize(row->times_us);
    point["us"] = {
        {"median", s.median}, {"low", s.low}, {"high", s.high}, {"spread", s.spread}, {"repeats", s.count}};
  }
  if (verdict_allows_time(row->verdict)) point["counters"] = row->counters;
  if (is_control(*row)) return point;
  if (const auto base = base_of(store, series, at)) {
    const auto& [base_run, base_row] = series.points[*base];
    const Change change =
        judge_row(*base_row, *row, store.runs[run].context.emulated, drifts.between(base_run, run));
    point["change"] = {{"outcome", name_of(change.outcome)},
                       {"base", base_run},
                       {"before", change.before},
                       {"change", change.change},
                       {"threshold", change.threshold}};
  }
  return point;
}

}  // namespace

nlohmann::ordered_json page_data(const RunStore& store, const std::vector<PublishedFigure>& published) {
  const std::vector<std::string> devices = devices_of(store);
  ordered_json data = {{"rule", noise_rule_text()},        {"problems", store.problems},
                       {"devices", ordered_json::array()}, {"runs", ordered_json::array()},
                       {"series", ordered_json::array()},  {"published", ordered_json::array()}};
  for (const std::string& device : devices) {
    const bool emulated = std::any_of(store.runs.begin(), store.runs.end(), [&](const RunFile& run) {
      return run.context.device == device && run.context.emulated;
    });
    data["devices"].push_back({{"name", device}, {"emulated", emulated}});
  }
  for (const RunFile& run : store.runs) data["runs"].push_back(run_json(run, devices));
  Drifts drifts(store);
  for (const Series& series : series_of(store, devices)) {
    ordered_json points = ordered_json::array();
    for (size_t i = 0; i < series.points.size(); ++i) points.push_back(point_json(store, series, i, drifts));
    const GemmShape& shape = series.name.shape;
    data["series"].push_back({{"device", series.device},
                              {"path", series.name.path},
                              {"kind", series.kind},
                              {"shape", series.name.shape_text()},
                              {"m", shape.m},
                              {"n", shape.n},
                              {"k", shape.k},
                              {"cache", series.name.cache},
                              {"launch", series.name.launch},
                              {"points", std::move(points)}});
  }
  for (const PublishedFigure& figure : published) {
    data["published"].push_back({{"device", figure.device},
                                 {"shape", to_string(figure.shape)},
                                 {"series", figure.series},
                                 {"path", figure.path},
                                 {"us", figure.time_us}});
  }
  return data;
}

}  // namespace mxproof::report
