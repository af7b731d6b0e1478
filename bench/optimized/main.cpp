// mxproof_bench: latencies of every path and kernel, each beside a verdict on the very bytes that were timed.
//
//   mxproof_bench [--shapes=LIST] [--seed=N] [--out=FILE | --store=DIR] [flags of Google Benchmark]
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "bench/optimized/device_state.hpp"
#include "bench/optimized/operands.hpp"
#include "bench/optimized/rows.hpp"
#include "bench/run/run.hpp"
#include "common/report/device_name.hpp"
#include "common/shapes/shape_list.hpp"
#include "optimized/device/info.hpp"

#if defined(MXPROOF_HAS_EMULATOR)
#include "emulator/select/select_device.hpp"
#endif

namespace mxproof::bench {
namespace {

constexpr const char* kUsage =
    "mxproof_bench: times every route, kernel, peer and floor on every shape, and verifies what was timed\n\n"
    "  --shapes=LIST   MxNxK,... or a named set or a file (default: the ten shapes of `mxproof verify`)\n"
    "  --seed=N        seed of the operands (default: 1)\n"
    "  --out=FILE      write the run as Google Benchmark JSON; the file must not exist\n"
    "  --store=DIR     the same under a new name in DIR (data/runs)\n"
    "  --benchmark_filter=REGEX, --benchmark_repetitions=N (default 9), --benchmark_list_tests ...\n\n"
    "Names: path/MxNxK/cold|hot/graph|eager. MXPROOF_DEVICE=auto|emulator|gpu chooses the device; an "
    "emulated one\n"
    "gives counts and no times. Exit 0, or 1 when an output was wrong, or 2 for bad input.\n";

struct Arguments {
  std::vector<GemmShape> shapes = default_shapes();
  uint64_t seed = 1;
  bool help = false;
};

/// Takes our flags out of `arguments`.
Expected<Arguments> take_arguments(std::vector<std::string>& arguments) {
  Arguments taken;
  std::vector<std::string> rest;
  for (const std::string& argument : arguments) {
    if (argument == "--help" || argument == "-h") {
      taken.help = true;
    } else if (argument.starts_with("--shapes=")) {
      auto shapes = parse_shapes(argument.substr(9));
      if (!shapes) return shapes.status();
      taken.shapes = std::move(*shapes);
    } else if (argument.starts_with("--seed=")) {
      const std::string text = argument.substr(7);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), taken.seed);
      if (error != std::errc() || end != text.data() + text.size()) {
        return Status::bad_input(fmt::format("--seed={} is not a number from 0 to 2^64 - 1", text));
      }
    } else {
      rest.push_back(argument);
    }
  }
  arguments = std::move(rest);
  return taken;
}

int fail(const Status& status) {
  fmt::print(stderr, "mxproof_bench: {}\n", status.message());
  return status.code() == StatusCode::bad_input ? 2 : 1;
}

int run(int argc, char** argv) {
#if defined(MXPROOF_HAS_EMULATOR)
  std::optional<EmulatedCounts> counts = EmulatedCounts::start();
  if (Status status = emulator::select_device(argc, argv); !status) return fail(status);
#else
  std::optional<EmulatedCounts> counts;
#endif
  std::vector<std::string> words(argv, argv + argc);
  auto arguments = take_arguments(words);
  if (!arguments) return fail(arguments.status());
  if (arguments->help) {
    fmt::print("{}", kUsage);
    return 0;
  }
  auto options = take_options(words);
  if (!options) return fail(options.status());
  auto device = device_info();
  if (!device) return fail(device.status());
  const bool emulated = is_emulated_name(device->name);

  RowsConfig rows;
  rows.shapes = arguments->shapes;
  rows.seed = arguments->seed;
  rows.facts = device_facts(device->name);
  rows.compute_units = device->compute_units;
  if (emulated && counts) rows.counts = &*counts;
  register_rows(rows);

  RunContext context;
  context.device = device->name;
  context.emulated = emulated;
  context.driver = device->runtime;
  context.seed = arguments->seed;
  context.inputs = kInputsText;
  context.state = [emulated] { return device_state(emulated); };
  if (emulated) options->repetitions = 1;
  return run_benchmarks(context, *options, std::move(words));
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
