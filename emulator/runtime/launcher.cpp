#include "emulator/runtime/launcher.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "emulator/runtime/counts_json.hpp"
#include "emulator/runtime/occupancy.hpp"
#include "emulator/runtime/watch_log.hpp"

namespace mxproof::emulator {
namespace {

// HSA's dispatch packet counts work-items in 32 bits.
constexpr uint64_t kMaxGridLanes = (uint64_t{1} << 32) - 1;

hipError_t to_hip(StatusCode code) {
  switch (code) {
    case StatusCode::ok:
      return hipSuccess;
    case StatusCode::bad_input:
      return hipErrorInvalidConfiguration;
    case StatusCode::refused:
      return hipErrorNotSupported;
    case StatusCode::device:
      return hipErrorLaunchFailure;
    case StatusCode::internal:
      return hipErrorUnknown;
  }
  return hipErrorUnknown;
}

Outcome append_line(const std::string& file_name, const std::string& line) {
  std::ofstream file(file_name, std::ios::app);
  file << line << '\n';
  if (file.flush()) return {};
  return {hipErrorOperatingSystem, fmt::format("MXPROOF_EMU_COUNTS={}: cannot be written", file_name)};
}

}  // namespace

Outcome check_shape(const Kernel& kernel, const LaunchShape& shape) {
  const auto refuse = [&](const std::string& what) -> Outcome {
    return {hipErrorInvalidConfiguration, fmt::format("kernel {}: {}", kernel.name, what)};
  };
  uint64_t lanes = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] == 0 || shape.block[axis] == 0) return refuse("a size of 0");
    if (uint64_t{shape.grid[axis]} * shape.block[axis] > kMaxGridLanes)
      return refuse("more than 2^32 - 1 work-items along an axis");
    if (shape.block[axis] > kMaxGroupLanes)
      return refuse(fmt::format("work-groups of {} along an axis", shape.block[axis]));
    lanes *= shape.block[axis];
  }
  const uint32_t most = std::min(kMaxGroupLanes, kernel.max_workgroup_size);
  if (lanes > most)
    return refuse(fmt::format("work-groups of {} work-items, at most {} are allowed", lanes, most));
  const uint32_t* required = kernel.required_workgroup_size;
  if (required[0] != 0 && !std::equal(shape.block.begin(), shape.block.end(), required)) {
    return refuse(fmt::format("made for work-groups of {}x{}x{}", required[0], required[1], required[2]));
  }
  const uint64_t lds = uint64_t{kernel.descriptor.lds_bytes} + shape.dynamic_lds;
  const uint32_t lds_bytes = claimed_chip().lds_bytes;
  if (lds > lds_bytes)
    return invalid(fmt::format("kernel {}: {} bytes of LDS, there are {}", kernel.name, lds, lds_bytes));
  return {};
}

Outcome check_cooperative(const Kernel& kernel, const LaunchShape& shape) {
  const uint32_t lanes = shape.block[0] * shape.block[1] * shape.block[2];
  const int per_unit = groups_per_compute_unit(kernel, lanes, shape.dynamic_lds);
  const uint64_t most = static_cast<uint64_t>(per_unit) * claimed_chip().compute_units;
  const uint64_t plane = uint64_t{shape.grid[0]} * shape.grid[1];
  if (plane <= most && plane * shape.grid[2] <= most) return {};
  return {hipErrorCooperativeLaunchTooLarge,
          fmt::format("kernel {}: a cooperative launch of {} x {} x {} work-groups, at most {} are resident",
                      kernel.name, shape.grid[0], shape.grid[1], shape.grid[2], most)};
}

Outcome run(const KernelWork& work, const Environment& environment, uint32_t stack_bytes,
            const DeviceMemory& memory) {
  const Kernel& kernel = *work.function->kernel;
  LaunchConfig config;
  config.grid = work.shape.grid;
  config.block = work.shape.block;
  config.dynamic_lds = work.shape.dynamic_lds;
  config.stack_bytes = std::max(config.stack_bytes, stack_bytes);
  config.kernarg = work.kernarg;
  config.threads = environment.threads;
  config.order = environment.order;
  config.order_seed = environment.order_seed;
  config.settings = environment.settings;
  if (environment.budget) config.instruction_budget = *environment.budget;
  config.watch.watchers = environment.watchers;
  config.watch.counts = !environment.counts_file.empty();
  std::vector<WatchReport> reports;
  config.reports = &reports;
  const auto start = std::chrono::steady_clock::now();
  Expected<LaunchReport> report =
      launch(work.function->module->code_object(), kernel, config, memory.global());
  if (!environment.watchers.empty()) WatchLog::get().add(reports);
  if (!report) return {to_hip(report.status().code()), report.status().message()};
  if (environment.counts_file.empty()) return {};
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return append_line(environment.counts_file, counts_line(kernel, work.shape, *report, elapsed.count()));
}

}  // namespace mxproof::emulator
