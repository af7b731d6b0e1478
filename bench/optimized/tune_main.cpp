// mxproof_tune: measures every tile and split of every route and writes the table that the router reads.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "bench/optimized/operands.hpp"
#include "bench/optimized/tuning_report.hpp"
#include "common/array/byte_source.hpp"
#include "common/report/build_info.hpp"
#include "common/report/device_name.hpp"
#include "common/report/progress.hpp"
#include "common/shapes/shape_list.hpp"
#include "optimized/device/info.hpp"

#if defined(MXPROOF_HAS_EMULATOR)
#include "emulator/select/select_device.hpp"
#endif

namespace mxproof::bench {
namespace {

struct Flags {
  std::string shapes;
  std::string routes = "all";
  std::string out;
  std::string measurements;
  uint64_t seed = 1;
};

int fail(const Status& status) {
  fmt::print(stderr, "mxproof_tune: {}\n", status.message());
  return status.code() == StatusCode::bad_input ? 2 : 1;
}

Expected<std::vector<Route>> parse_routes(const std::string& text) {
  std::vector<Route> routes;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    begin = end + 1;
    if (name == "all") {
      routes.assign(std::begin(kRoutes), std::end(kRoutes));
    } else if (const auto route = find_route(name)) {
      routes.push_back(*route);
    } else {
      return Status::bad_input(fmt::format(
          "--routes: '{}' is no route; there are one_kernel, fused, staged, direct and all", name));
    }
  }
  return routes;
}

std::string today() {
  return fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::now()));
}

TuningOrigin origin_of(const DeviceInfo& device, bool emulated) {
  const BuildInfo& build = build_info();
  return {device.name, device.runtime,
          fmt::format("{}{}", build.commit.substr(0, 12), build.dirty ? " with changes" : ""), today(),
          emulated};
}

int tune(const Flags& flags, const std::vector<GemmShape>& shapes, TuningConfig config,
         const TuningOrigin& origin) {
  fmt::print("{}: every tile and split of every route, inputs: {}, seed {}\n", origin.device, kInputsText,
             config.seed);
  double ways = 0;
  for (const GemmShape& shape : shapes) {
    for (const Route route : config.routes)
      ways += static_cast<double>(tuning_candidates(route, shape).size());
  }
  if (ways == 0) return fail(Status::refused("no route takes any of these shapes"));
  Progress progress(ways);
  std::vector<std::vector<Measurement>> all;
  std::string faults;
  size_t found = 0;
  for (const GemmShape& shape : shapes) {
    auto measured = tune_shape(shape, config, [&](const Measurement& m) {
      progress.advance(1, fmt::format("{} {}", to_string(m.shape), route_name(m.choice.route)));
    });
    if (!measured) return fail(measured.status());
    progress.clear();
    fmt::print("{} ({} ways)\n{}", to_string(shape), measured->size(), best_text(*measured, origin));
    std::fflush(stdout);
    faults += faults_text(*measured);
    found += best_of_routes(*measured).size();
    all.push_back(std::move(*measured));
  }
  if (!flags.measurements.empty()) {
    if (Status status = write_text(flags.measurements, measurements_table(all, origin)); !status)
      return fail(status);
  }
  if (!faults.empty()) {
    fmt::print(stderr, "mxproof_tune: wrong or failed, so that no table is written:\n{}", faults);
    return 1;
  }
  if (found == 0) return fail(Status::device("nothing ran"));
  if (Status status = write_text(flags.out, tuned_table(all, origin)); !status) return fail(status);
  fmt::print("{}\n", flags.out);
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures every tile and split of K of every route on the device, verifies each output, and writes "
      "the\n"
      "table of data/tuned for it. On an emulated device the times are modelled.",
      "mxproof_tune");
  Flags flags;
  app.add_option("--shapes", flags.shapes,
                 "MxNxK, a named set or a file; a comma between two (default: ten)");
  app.add_option("--routes", flags.routes, "one_kernel, fused, staged, direct or all; a comma between two");
  app.add_option("--seed", flags.seed, "Seed of the operands")->capture_default_str();
  app.add_option("--measurements", flags.measurements, "Write everything measured to this file, as CSV");
  app.add_option("-o,--out", flags.out, "Write the table to this file, such as data/tuned/sm_90.csv")
      ->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return fail(Status::bad_input(fmt::format("{} (--help explains)", error.what())));
  }
  const auto shapes = flags.shapes.empty() ? default_shapes() : parse_shapes(flags.shapes);
  if (!shapes) return fail(Status::bad_input("--shapes: " + shapes.status().message()));
  auto routes = parse_routes(flags.routes);
  if (!routes) return fail(routes.status());

#if defined(MXPROOF_HAS_EMULATOR)
  std::optional<EmulatedCounts> counts = EmulatedCounts::start();
  if (Status status = emulator::select_device(argc, argv); !status) return fail(status);
#else
  std::optional<EmulatedCounts> counts;
#endif
  const auto device = device_info();
  if (!device) return fail(device.status());
  const bool emulated = is_emulated_name(device->name);
  TuningConfig config;
  config.routes = std::move(*routes);
  config.seed = flags.seed;
  config.facts = device_facts(device->name);
  if (emulated && counts) config.counts = &*counts;
  return tune(flags, *shapes, config, origin_of(*device, emulated));
}

}  // namespace
}  // namespace mxproof::bench

int main(int argc, char** argv) {
  using mxproof::Status;
  try {
    return mxproof::bench::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return mxproof::bench::fail(Status::device("out of memory; try a smaller shape"));
  } catch (const std::exception& error) {
    return mxproof::bench::fail(Status::internal(error.what()));
  }
}
