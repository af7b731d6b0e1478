#include "tools/profile/report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/report/build_info.hpp"
#include "common/shapes/shape_list.hpp"

namespace mxproof {
namespace {

constexpr std::string_view kWholeCall = "whole call";

using Cells = std::vector<std::string>;

std::string line(const Table& table, const Cells& cells) {
  std::vector<TableCell> row;
  for (const std::string& cell : cells) row.push_back({cell});
  return table.row(row);
}

std::string us(double value) {
  return fmt::format("{:.2f}", value);
}
std::string share(double value) {
  return fmt::format("{:.0f} %", 100 * value);
}

Cells step_cells(const StepProfile& step, bool emulated) {
  const std::string kernel(kernel_info(step.kernel).name);
  if (emulated) {
    return {kernel,
            "1",
            fmt::format("{}", step.bytes),
            fmt::format("{}", step.waves),
            fmt::format("{}", step.wave_instructions),
            fmt::format("{}", step.matrix_instructions),
            us(step.modelled_us),
            ""};
  }
  return {kernel, "1", fmt::format("{}", step.bytes), us(step.device_us), us(step.enqueue_us), "", ""};
}

Cells call_cells(const PathProfile& p) {
  const std::string launches = fmt::format("{}", p.steps.size());
  const std::string bytes = fmt::format("{}", p.bytes());
  if (!p.emulated) {
    return {std::string(kWholeCall),  launches, bytes, us(p.device_us()), us(p.enqueue_us), us(p.call_us),
            share(p.dispatch_share())};
  }
  StepProfile sum;
  for (const StepProfile& step : p.steps) {
    sum.waves += step.waves;
    sum.wave_instructions += step.wave_instructions;
    sum.matrix_instructions += step.matrix_instructions;
  }
  return {std::string(kWholeCall),
          launches,
          bytes,
          fmt::format("{}", sum.waves),
          fmt::format("{}", sum.wave_instructions),
          fmt::format("{}", sum.matrix_instructions),
          us(p.modelled_us()),
          share(p.dispatch_share())};
}

nlohmann::json step_json(const StepProfile& step, bool emulated) {
  nlohmann::json json = {{"kernel", kernel_info(step.kernel).name}, {"bytes", step.bytes}};
  if (emulated) {
    json["waves"] = step.waves;
    json["wave_instructions"] = step.wave_instructions;
    json["matrix_instructions"] = step.matrix_instructions;
    json["modelled_us"] = step.modelled_us;
  } else {
    json["device_us"] = step.device_us;
    json["enqueue_us"] = step.enqueue_us;
  }
  return json;
}

nlohmann::json row_json(const ProfileRow& row) {
  const GemmShape& shape = row.verified.shape;
  nlohmann::json json = {{"m", shape.m},
                         {"n", shape.n},
                         {"k", shape.k},
                         {"path", row.verified.path},
                         {"plan", row.verified.plan},
                         {"verdict", name_of(row.verified.comparison.verdict)},
                         {"message", row.verified.comparison.message}};
  if (!row.profile) return json;
  const PathProfile& p = *row.profile;
  json["launches"] = p.steps.size();
  json["bytes"] = p.bytes();
  json["dispatch_share"] = p.dispatch_share();
  if (p.emulated) {
    json["modelled_us"] = p.modelled_us();
  } else {
    json["device_us"] = p.device_us();
    json["enqueue_us"] = p.enqueue_us;
    json["call_us"] = p.call_us;
  }
  json["steps"] = nlohmann::json::array();
  for (const StepProfile& step : p.steps) json["steps"].push_back(step_json(step, p.emulated));
  return json;
}

}  // namespace

std::string profile_heading(const DeviceInfo& device, const VerifyOptions& options, bool emulated) {
  const std::string inputs =
      fmt::format("{}; standard normal bf16, seed {}; every output verified\n", device.name, options.seed);
  if (emulated) {
    return inputs +
           "counts are exact; times are modelled (tools/profile/launch_model.hpp), no latency of any "
           "chip\n\n";
  }
  return inputs +
         "device: kernels at work, in a replayed graph, operands in the cache; call: one call on an idle "
         "stream;\n"
         "enqueue: host time to hand it over; dispatch: share of the call that is not kernels at work\n\n";
}

Table make_profile_table(const std::vector<GemmShape>& shapes, bool emulated, bool colour) {
  size_t shape_width = 0;
  for (const GemmShape& shape : shapes) shape_width = std::max(shape_width, to_string(shape).size());
  size_t path_width = 0;
  for (const Route route : kRoutes) path_width = std::max(path_width, route_name(route).size());
  size_t step_width = kWholeCall.size();
  for (const KernelInfo& kernel : kKernels) step_width = std::max(step_width, kernel.name.size());
  std::vector<TableColumn> columns = {{"MxNxK", shape_width},
                                      {"path", path_width},
                                      {"step", step_width},
                                      {"launches", 8, true},
                                      {"bytes", 10, true}};
  if (emulated) {
    for (const char* title : {"waves", "instructions", "matrix", "modelled us", "dispatch"})
      columns.push_back({title, 9, true});
  } else {
    for (const char* title : {"device us", "enqueue us", "call us", "dispatch"})
      columns.push_back({title, 9, true});
  }
  return {std::move(columns), colour};
}

std::string profile_lines(const Table& table, const ProfileRow& row, bool emulated) {
  Cells first = {to_string(row.verified.shape), row.verified.path};
  const size_t numbers = emulated ? 5 : 4;
  if (!row.profile) {
    first.emplace_back(name_of(row.verified.comparison.verdict));
    first.insert(first.end(), 2 + numbers, "-");
    return line(table, first);
  }
  std::string lines;
  const auto add = [&](const Cells& cells) {
    Cells all = first;
    all.insert(all.end(), cells.begin(), cells.end());
    lines += line(table, all);
  };
  for (const StepProfile& step : row.profile->steps) add(step_cells(step, emulated));
  add(call_cells(*row.profile));
  return lines;
}

nlohmann::json profile_json(const std::vector<ProfileRow>& rows, const DeviceInfo& device,
                            const VerifyOptions& options) {
  nlohmann::json json = {{"results", nlohmann::json::array()}, {"build", to_json(build_info())}};
  for (const ProfileRow& row : rows) json["results"].push_back(row_json(row));
  json["build"]["device"] = device.name;
  json["build"]["architecture"] = device.arch;
  json["build"]["driver"] = device.runtime;
  json["inputs"] = {{"distribution", "standard normal bf16"}, {"seed", options.seed}};
  return json;
}

}  // namespace mxproof
