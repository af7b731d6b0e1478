// What the dashboard shows, as one JSON value: runs, series of points over them, published figures, problems.
//
//   { rule, problems: [text], devices: [{name, emulated}],
//     runs: [{file, date, time, commit, ..., device}],                      oldest first; device is an index
//     series: [{device, path, kind, shape, m, n, k, cache, launch,
//               points: [{run, verdict, id, message, us: {median, low, high, spread, repeats},
//                         counters: {name: value}, change: {outcome, base, before, change, threshold}}]}],
//     published: [{device, shape, series, path, us}] }
//
// `us` is absent wherever a time must not be shown: failed or unverified rows and emulated devices.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/report/published.hpp"
#include "tools/report/run_store.hpp"

namespace mxproof::report {

nlohmann::ordered_json page_data(const RunStore& store, const std::vector<PublishedFigure>& published);

}  // namespace mxproof::report
