#include "tools/profile/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "common/array/byte_source.hpp"
#include "common/report/device_name.hpp"
#include "common/report/terminal.hpp"
#include "common/shapes/shape_list.hpp"
#include "tools/device.hpp"
#include "tools/profile/report.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Exit code: 0 all profiled, 1 an output was wrong or nothing ran, 2 a flag is wrong.\n\n"
    "Examples:\n"
    "  mxproof profile --shapes benchmark --path all\n"
    "  mxproof profile --shapes 16x2112x7168 --path fused,direct --json profile.json";

/// What every path of one shape needs.
struct ShapeCase {
  Operands operands;
  ReferenceCase reference;
  DeviceOperands device;
};

Expected<ShapeCase> make_case(const GemmShape& shape, const VerifyOptions& options, int splits) {
  auto operands = make_operands(shape, options.seed);
  if (!operands) return operands.status();
  auto reference = make_reference(*operands, options.policy, splits);
  if (!reference) return reference.status();
  auto device = DeviceOperands::upload(*operands, reference->b);
  if (!device) return device.status();
  return ShapeCase{std::move(*operands), std::move(*reference), std::move(*device)};
}

/// Verifies the path, and profiles it if its output is right.
ProfileRow profile_row(const GemmShape& shape, std::optional<Route> route, Expected<Plan>& plan,
                       const ShapeCase& shape_case, const VerifyOptions& options, LaunchLog* log) {
  ProfileRow row{run_path(shape, route, plan, shape_case.device, shape_case.reference.expected,
                          options.acceptance, [](const Matrix<Bf16>&) { return std::string(); }),
                 {}};
  if (!passed(row.verified.comparison.verdict)) return row;
  const auto fail = [&](const Status& why) {
    row.verified = row_without_run(shape, route, options.acceptance, why);
    return row;
  };
  auto c = DeviceBuffer::make(shape.m * shape.n * int64_t{sizeof(Bf16)});
  if (!c) return fail(c.status());
  auto profile = profile_path(*plan, shape_case.device.pointers(c->operand(LayoutTag::bf16_rows)), log);
  if (!profile) return fail(profile.status());
  row.profile = std::move(*profile);
  return row;
}

std::vector<ProfileRow> profile_shape(const GemmShape& shape, const VerifyOptions& options, LaunchLog* log) {
  std::vector<Expected<Plan>> plans;
  int splits = 1;
  for (const std::optional<Route>& route : options.paths) {
    GemmRequest request;
    request.shape = shape;
    request.route = route;
    plans.push_back(Plan::make(request));
    if (plans.back()) splits = std::max(splits, plans.back()->splits());
  }
  std::vector<ProfileRow> rows;
  const auto shape_case = make_case(shape, options, splits);
  for (size_t i = 0; i < plans.size(); ++i) {
    rows.push_back(shape_case ? profile_row(shape, options.paths[i], plans[i], *shape_case, options, log)
                              : ProfileRow{row_without_run(shape, options.paths[i], options.acceptance,
                                                           shape_case.status()),
                                           {}});
  }
  return rows;
}

/// Why rows have no profile, and what came of it all.
std::string notes(const std::vector<ProfileRow>& rows, const std::string& device) {
  std::string text;
  const auto profiled =
      std::ranges::count_if(rows, [](const ProfileRow& row) { return row.profile.has_value(); });
  for (const ProfileRow& row : rows) {
    if (row.profile) continue;
    text += fmt::format("{} {}: {}: {}\n", to_string(row.verified.shape), row.verified.path,
                        name_of(row.verified.comparison.verdict), row.verified.comparison.message);
  }
  return text + fmt::format("{} of {} profiled on {}{}\n", profiled, rows.size(), device,
                            profiled == 0 ? "; nothing ran, which is no success" : "");
}

int exit_code(const std::vector<ProfileRow>& rows) {
  const auto wrong = [](const ProfileRow& row) {
    return !row.profile && row.verified.comparison.verdict != Verdict::refused;
  };
  const auto right = [](const ProfileRow& row) { return row.profile.has_value(); };
  return std::ranges::any_of(rows, right) && std::ranges::none_of(rows, wrong) ? kExitPass : kExitFail;
}

int run_profile(const Program& program, const VerifyFlags& flags) {
  const Expected<VerifyOptions> options = parse_flags(flags);
  if (!options) return report_error(options.status());
  LaunchLog log = LaunchLog::start();
  const Expected<DeviceInfo> device = open_device(program, flags.device);
  if (!device) return report_error(device.status());
  const bool emulated = is_emulated_name(device->name);

  const Table table = make_profile_table(options->shapes, emulated, wants_colour(stdout));
  fmt::print("{}{}", profile_heading(*device, *options, emulated), table.head());
  std::vector<ProfileRow> rows;
  for (const GemmShape& shape : options->shapes) {
    for (ProfileRow& row : profile_shape(shape, *options, emulated ? &log : nullptr)) {
      fmt::print("{}", profile_lines(table, row, emulated));
      std::fflush(stdout);
      rows.push_back(std::move(row));
    }
  }
  fmt::print("\n{}", notes(rows, device->name));
  std::fflush(stdout);
  if (!options->json_file.empty()) {
    const std::string text = profile_json(rows, *device, *options).dump(2) + "\n";
    if (Status status = write_text(options->json_file, text); !status) return report_error(status);
  }
  return exit_code(rows);
}

}  // namespace

void add_profile(Program& program) {
  auto flags = std::make_shared<VerifyFlags>();
  flags->path = "all";
  CLI::App& command = *program.app.add_subcommand(
      "profile", "Say where the time of each path goes: its launches, their bytes, and the dispatch");
  command.footer(kFooter);
  const auto text = [&](const char* name, std::string& value, const char* type, const char* help) {
    command.add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  text("--shapes", flags->shapes, "LIST",
       "MxNxK, a set (benchmark, correctness) or a file; a comma between two (default: both sets)");
  text("--path", flags->path, "LIST",
       "one_kernel, fused, staged, direct, all, or auto: what the router picks");
  text("--seed", flags->seed, "N", "Seed of the inputs (default: a fresh one, printed)");
  add_device_flag(command, flags->device);
  text("--json", flags->json, "FILE", "Write the report to FILE as JSON");
  command.callback(
      [&program, flags] { program.action = [&program, flags] { return run_profile(program, *flags); }; });
}

}  // namespace mxproof
