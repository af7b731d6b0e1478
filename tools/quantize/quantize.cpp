#include "tools/quantize/quantize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "common/array/file.hpp"
#include "common/policy/quant_policy.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Exit code: 0 written, 2 a flag or file is wrong.\n\n"
    "Examples:\n"
    "  mxproof quantize w.npy -o w.safetensors\n"
    "  mxproof quantize model.safetensors:up_proj.weight -o w.safetensors --policy nvidia --packing "
    "high-first\n"
    "  mxproof quantize --list-policies";

struct Flags {
  std::string input;
  std::string output;
  std::string policy = "even";
  std::string packing = "low-first";
  bool list_policies = false;
};

Status quantize_file(const Flags& flags) {
  if (flags.input.empty())
    return Status::bad_input("name the array to quantise: FILE.npy or FILE.safetensors[:TENSOR]");
  if (!flags.output.ends_with(".safetensors")) {
    return bad_flag("--output",
                    Status::bad_input(fmt::format("'{}' must end in .safetensors", flags.output)));
  }
  const auto policy = quant_preset(flags.policy);
  if (!policy) return bad_flag("--policy", policy.status());
  const auto packing = parse_packing(flags.packing);
  if (!packing) return bad_flag("--packing", packing.status());
  const auto array = read_array(flags.input);
  if (!array) return array.status();
  const auto matrix = quantize_array(*array, *policy, flags.input);
  if (!matrix) return matrix.status();
  if (Status status = write_quantized(flags.output, *matrix, *packing, *policy); !status) return status;

  const auto nan_blocks = std::ranges::count(matrix->scales, uint8_t{255});
  const auto [low, high] = std::ranges::minmax(matrix->scales);
  fmt::print("{} x {} elements, scale bytes {}..{}, {} blocks with NaN scale\npolicy {}\npacking {} -> {}\n",
             matrix->rows, matrix->cols, low, high, nan_blocks, describe(*policy), name_of(*packing),
             flags.output);
  return {};
}

int run(const Flags& flags) {
  if (flags.list_policies) {
    for (const QuantPolicy& p : quant_presets()) fmt::print("{}\n    {}\n", describe(p), p.source);
    return kExitPass;
  }
  const Status status = quantize_file(flags);
  return status ? static_cast<int>(kExitPass) : report_error(status);
}

}  // namespace

void add_quantize(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = program.app.add_subcommand("quantize", "Quantise an array to MXFP4 with the reference");
  command->footer(kFooter);
  command->add_option("input", flags->input,
                      "FILE.npy or FILE.safetensors[:TENSOR]; f32, f16 or bf16 [rows, K]");
  command->add_option("-o,--output", flags->output,
                      "FILE.safetensors: tensors codes and scales, or blocks for ggml");
  command->add_option("--policy", flags->policy, "Quantisation policy by name")->capture_default_str();
  command->add_option("--packing", flags->packing, "low-first, high-first or ggml")->capture_default_str();
  command->add_flag("--list-policies", flags->list_policies, "Print every policy, its fields and its source");
  command->callback([&program, flags] { program.action = [flags] { return run(*flags); }; });
}

}  // namespace mxproof
