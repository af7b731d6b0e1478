#include "tools/verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "common/array/byte_source.hpp"
#include "common/report/progress.hpp"
#include "common/shapes/shape_list.hpp"
#include "tools/device.hpp"
#include "tools/explain/report.hpp"
#include "tools/settings.hpp"
#include "tools/verify/report.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Exit code: 0 all pass, 1 a mismatch or nothing ran, 2 a flag or file is wrong.\n\n"
    "Verdicts: bit-equal, within-bound (bits differ and --accept lets all of them pass), mismatch, refused "
    "(the\n"
    "path does not support the shape), error.\n\n"
    "Examples:\n"
    "  mxproof verify\n"
    "  mxproof verify --shapes 32x2880x512,64x7168x2048 --path staged,fused --seed 7\n"
    "  mxproof verify --shapes shapes.csv --path all --json report.json\n"
    "  mxproof verify --a activations.npy --b model.safetensors:layers.0.mlp.up_proj.weight\n"
    "  mxproof verify --device emulator --accept contest";

// Weights of the progress bar, in nanoseconds of one core or so: making and quantising an input, and one
// multiply-add of the reference or of an emulated kernel.
double input_work(const GemmShape& shape) {
  return 40 * static_cast<double>((shape.m + shape.n) * shape.k);
}
double product_work(const GemmShape& shape) {
  return 1e6 +
         0.2 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

// Runs all paths over all shapes, printing rows as they come.
class Verification {
 public:
  Verification(const VerifyOptions& options, const DeviceInfo& device, const std::vector<GemmShape>& shapes)
      : options_(options),
        device_(device),
        table_(make_verify_table(shapes, device.name, wants_colour(stdout))),
        progress_(total_work(shapes, options.paths.size())),
        cases_(shapes.size() * options.paths.size()) {
    fmt::print("{}{}", verify_heading(options), table_.head());
  }

  void verify(const GemmShape& shape, const Expected<Operands>& operands) {
    if (!operands) return refuse(shape, operands.status());
    std::vector<Expected<Plan>> plans = make_plans(shape);
    int splits = 0;
    for (const Expected<Plan>& plan : plans) splits = std::max(splits, plan ? plan->splits() : 0);
    if (splits == 0) {  // no path takes this shape: nothing to compute
      for (size_t i = 0; i < plans.size(); ++i)
        add(row_without_run(shape, options_.paths[i], options_.acceptance, plans[i].status()));
      return;
    }
    announce(input_work(shape) / 2, shape, "reference");
    const Expected<ReferenceCase> reference =
        make_reference(*operands, options_.policy, splits, options_.accumulation);
    if (!reference) return refuse(shape, reference.status());
    announce(input_work(shape) / 2 + product_work(shape), shape, "upload");
    const Expected<DeviceOperands> device = DeviceOperands::upload(*operands, reference->b);
    if (!device) return refuse(shape, device.status());
    for (size_t i = 0; i < plans.size(); ++i) {
      announce(0, shape, plans[i] ? std::string(route_name(plans[i]->route())) : "refused");
      add(run_path(shape, options_.paths[i], plans[i], *device, reference->expected, options_.acceptance,
                   [&](const Matrix<Bf16>& c) {
                     announce(0, shape, "explaining the mismatch");
                     return explain::summarise(
                         explain::output_evidence(operands->a, options_.policy, reference->b, c));
                   }));
      announce(product_work(shape), shape, "done");
    }
  }

  void announce(double work, const GemmShape& shape, const std::string& step) {
    progress_.advance(work, fmt::format("{} of {}  {}: {}", std::min(rows_.size() + 1, cases_), cases_,
                                        to_string(shape), step));
  }

  const std::vector<VerifyRow>& finish() {
    progress_.clear();
    return rows_;
  }

 private:
  static double total_work(const std::vector<GemmShape>& shapes, size_t paths) {
    double work = 0;
    for (const GemmShape& shape : shapes)
      work += input_work(shape) + static_cast<double>(paths + 1) * product_work(shape);
    return work;
  }

  std::vector<Expected<Plan>> make_plans(const GemmShape& shape) const {
    std::vector<Expected<Plan>> plans;
    for (const std::optional<Route>& route : options_.paths) {
      GemmRequest request;
      request.shape = shape;
      request.route = route;
      plans.push_back(Plan::make(request));
    }
    return plans;
  }

  void refuse(const GemmShape& shape, const Status& why) {
    for (const std::optional<Route>& route : options_.paths)
      add(row_without_run(shape, route, options_.acceptance, why));
  }

  void add(VerifyRow row) {
    progress_.clear();
    fmt::print("{}", table_.row(verify_cells(row, device_.name)));
    std::fflush(stdout);
    rows_.push_back(std::move(row));
  }

  const VerifyOptions& options_;
  const DeviceInfo& device_;
  Table table_;
  Progress progress_;
  size_t cases_;
  std::vector<VerifyRow> rows_;
};

Status write_json(const std::string& path, const nlohmann::json& json) {
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return write_text(path, text);
}

std::vector<VerifyRow> verify_all(const VerifyOptions& options, const DeviceInfo& device,
                                  const Expected<Operands>& loaded) {
  const bool files = !options.a_file.empty();
  const std::vector<GemmShape> shapes = files ? std::vector{loaded->shape} : options.shapes;
  Verification verification(options, device, shapes);
  for (const GemmShape& shape : shapes) {
    verification.announce(0, shape, "inputs");
    if (files)
      verification.verify(shape, loaded);
    else
      verification.verify(shape, make_operands(shape, options.seed));
  }
  return verification.finish();
}

int run_verify(const Program& program, const VerifyFlags& flags) {
  const Expected<VerifyOptions> options = parse_flags(flags);
  if (!options) return report_error(options.status());
  // Files first: what is wrong with them does not depend on the device.
  Expected<Operands> loaded = Operands{};
  if (!options->a_file.empty()) loaded = load_operands(options->a_file, options->b_file);
  if (!loaded) return report_error(loaded.status());
  const Expected<DeviceInfo> device = open_device(program, flags.device);
  if (!device) return report_error(device.status());

  const std::vector<VerifyRow> rows = verify_all(*options, *device, loaded);
  fmt::print("\n{}{}\n", verify_notes(rows, *options), verify_summary(rows, device->name));
  std::fflush(stdout);
  if (!options->json_file.empty())
    if (Status status = write_json(options->json_file, verify_json(rows, *device, *options)); !status)
      return report_error(status);
  return all_pass(rows) ? kExitPass : kExitFail;
}

}  // namespace

void add_verify(Program& program) {
  auto flags = std::make_shared<VerifyFlags>();
  CLI::App& command = *program.app.add_subcommand(
      "verify", "Run the kernels and hold every output against the exact reference, bit for bit");
  command.footer(kFooter);
  const auto text = [&](const char* name, std::string& value, const char* type, const char* help) {
    return command.add_option(name, value, help)->type_name(type)->capture_default_str();
  };
  text("--shapes", flags->shapes, "LIST",
       "MxNxK, a set (benchmark, correctness) or a file; a comma between two (default: both sets)");
  text("--path", flags->path, "LIST",
       "one_kernel, fused, staged, direct, all, or auto: what the router picks");
  text("--seed", flags->seed, "N", "Seed of the inputs (default: a fresh one, printed)");
  text("--a", flags->a, "FILE",
       "A [M, K] from .npy or .safetensors[:NAME]; bf16, f16 or f32 (rounded to bf16)");
  text("--b", flags->b, "FILE", "B [N, K] likewise");
  text("--policy", flags->policy, "NAME", "Quantisation policy of the reference");
  text("--accept", flags->accept, "RULE", "bit-equal, exact-zone, contest, or 'ulp N'");
  add_device_flag(command, flags->device);
  add_settings_flag(command, flags->settings);
  text("--json", flags->json, "FILE", "Write the report to FILE as JSON");
  command.callback(
      [&program, flags] { program.action = [&program, flags] { return run_verify(program, *flags); }; });
}

}  // namespace mxproof
