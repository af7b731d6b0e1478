#include "bench/run/run.hpp"

#include <benchmark/benchmark.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "bench/run/build_id.hpp"
#include "bench/run/reporter.hpp"
#include "common/report/build_info.hpp"

namespace mxproof::bench {
namespace {

namespace fs = std::filesystem;

int fail(const Status& status) {
  fmt::print(stderr, "mxproof_bench: {}\n", status.message());
  return status.code() == StatusCode::bad_input ? 2 : 1;
}

void add_context(const RunContext& context) {
  const BuildInfo& build = build_info();
  benchmark::AddCustomContext("commit", std::string(build.commit));
  benchmark::AddCustomContext("dirty", build.dirty ? "true" : "false");
  benchmark::AddCustomContext("build_id", build_id());
  benchmark::AddCustomContext("compiler", std::string(build.compiler));
  benchmark::AddCustomContext("flags", std::string(build.flags));
  benchmark::AddCustomContext("platform", std::string(build.platform));
  benchmark::AddCustomContext("device", context.device);
  benchmark::AddCustomContext("emulated", context.emulated ? "true" : "false");
  benchmark::AddCustomContext("driver", context.driver);
  benchmark::AddCustomContext("seed", std::to_string(context.seed));
  benchmark::AddCustomContext("inputs", context.inputs);
  benchmark::AddCustomContext("state_before", context.state());
}

/// "NVIDIA H200" becomes "nvidia-h200".
std::string file_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
    if (plain) {
      word += c;
    } else if (c >= 'A' && c <= 'Z') {
      word += static_cast<char>(c - 'A' + 'a');
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

/// Writes a file that must not exist yet: runs are only ever added.
Status write_new(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ignored);
  std::FILE* file = std::fopen(path.c_str(), "wxb");
  if (file == nullptr) {
    return Status::bad_input(
        fmt::format("{}: exists already or cannot be made; runs are never overwritten", path.string()));
  }
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written)
    return Status::bad_input(fmt::format("{}: cannot be written", path.string()));
  fmt::print("{}\n", path.string());
  return {};
}

std::string store_name(const RunContext& context) {
  const BuildInfo& build = build_info();
  return fmt::format("{:%Y%m%dT%H%M%S}-{}{}-{}.json", fmt::gmtime(std::chrono::system_clock::now()),
                     build.commit.substr(0, 9), build.dirty ? "+" : "", file_word(context.device));
}

}  // namespace

Expected<RunOptions> take_options(std::vector<std::string>& arguments) {
  RunOptions options;
  std::vector<std::string> rest;
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--out=")) {
      options.out = argument.substr(6);
    } else if (argument.starts_with("--store=")) {
      options.store = argument.substr(8);
    } else {
      rest.push_back(argument);
      continue;
    }
    if (argument.back() == '=') return Status::bad_input(fmt::format("{} needs a value", argument));
  }
  if (!options.out.empty() && !options.store.empty()) {
    return Status::bad_input("give --out=FILE or --store=DIR, not both");
  }
  arguments = std::move(rest);
  return options;
}

namespace {

/// Rows own device memory and library handles: they must go before main returns, while the runtime of the
/// device still lives.
struct RowsAtEnd {
  RowsAtEnd() = default;
  RowsAtEnd(const RowsAtEnd&) = delete;
  RowsAtEnd& operator=(const RowsAtEnd&) = delete;
  ~RowsAtEnd() { benchmark::ClearRegisteredBenchmarks(); }
};

}  // namespace

int run_benchmarks(const RunContext& context, const RunOptions& options, std::vector<std::string> arguments) {
  const RowsAtEnd rows_at_end;
  // Ours first: a flag that is given again wins.
  const std::vector<std::string> defaults = {fmt::format("--benchmark_repetitions={}", options.repetitions),
                                             "--benchmark_enable_random_interleaving=true"};
  arguments.insert(arguments.begin() + 1, defaults.begin(), defaults.end());
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());
  if (benchmark::ReportUnrecognizedArguments(argc, argv.data())) return 2;
  if (build_id().empty()) return fail(Status::internal("linked without a build id (-Wl,--build-id)"));
  add_context(context);
  Reporter reporter(std::cout);
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  const bool only_listed = std::find_if(arguments.begin(), arguments.end(), [](const std::string& argument) {
                             return argument.starts_with("--benchmark_list_tests");
                           }) != arguments.end();
  if (only_listed) return 0;
  if (reporter.rows() == 0) return fail(Status::device("nothing ran: no benchmark fits --benchmark_filter"));
  if (!options.out.empty() || !options.store.empty()) {
    auto json = reporter.json(context.state());
    if (!json) return fail(json.status());
    const fs::path path =
        options.out.empty() ? fs::path(options.store) / store_name(context) : fs::path(options.out);
    if (Status status = write_new(path, *json); !status) return fail(status);
  }
  return reporter.failures() == 0 ? 0 : 1;
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

}  // namespace mxproof::bench
