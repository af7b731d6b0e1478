#include "tools/gemm/gemm.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>

#include "common/array/file.hpp"
#include "reference/gemm.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "A FILE.safetensors that `mxproof quantize` wrote says itself how its codes are packed.\n\n"
    "Exit code: 0, or 2 when a flag or file is wrong.\n\n"
    "Examples:\n"
    "  mxproof gemm --a a.npy --b w.safetensors -o c.npy\n"
    "  mxproof gemm --a a.npy --b w.npy --policy nvidia --type f32 -o c.npy\n"
    "  mxproof gemm --a a.npy --b codes.npy --b-scales scales.npy --packing high-first --split-k 4";

struct Flags {
  std::string a;
  std::string a_scales;
  std::string b;
  std::string b_scales;
  std::string output;
  std::string type = "bf16";
  std::string policy = "even";
  std::string packing;
  int64_t split_k = 1;
};

Array output_array(const reference::GemmReference& product, Dtype type) {
  const MatrixView<const Bf16> bf16 = product.values();
  Array array{type, {bf16.rows, bf16.cols}, {}};
  const int64_t count = bf16.rows * bf16.cols;
  if (type == Dtype::f32) {
    array.bytes.resize(static_cast<size_t>(count) * sizeof(float));
    std::memcpy(array.bytes.data(), product.f32().data, array.bytes.size());
  } else if (type == Dtype::bf16) {
    array.bytes.resize(static_cast<size_t>(count) * sizeof(Bf16));
    std::memcpy(array.bytes.data(), bf16.data, array.bytes.size());
  } else {
    std::vector<Half> values;
    values.reserve(static_cast<size_t>(count));
    for (int64_t r = 0; r < bf16.rows; ++r) {
      for (int64_t c = 0; c < bf16.cols; ++c) values.push_back(product.facts(r, c).f16);
    }
    array.bytes.resize(values.size() * sizeof(Half));
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  }
  return array;
}

void print_facts(const reference::GemmReference& product, int64_t k) {
  const MatrixView<const Bf16> values = product.values();
  const reference::ModelReport models = product.model_report();
  fmt::print("{} x {} outputs, K = {}\n", values.rows, values.cols, k);
  int64_t non_finite = 0;
  for (int64_t r = 0; r < values.rows; ++r)
    for (int64_t c = 0; c < values.cols; ++c) non_finite += values(r, c).is_finite() ? 0 : 1;
  if (non_finite > 0)
    fmt::print("NaN or Inf               {} outputs, left out of the next line\n", non_finite);
  fmt::print("in the exact zone        {:.4f} %\n", 100 * product.exact_zone_share());
  fmt::print("bf16 differs when rounded once instead of through f32: {} outputs\n",
             product.double_roundings());
  fmt::print("accumulation models part in f32 on {} outputs, in bf16 on {}\n", models.differ_in_f32,
             models.differ_in_bf16);
  for (const auto& output : models.examples) {
    fmt::print("  ({}, {}):", output.row, output.col);
    for (const auto& m : output.models) fmt::print(" {} {:.9g}", m.model, m.f32);
    fmt::print("\n");
  }
}

Status multiply_files(const Flags& flags) {
  const auto packing = parse_packing_flag(flags.packing);
  if (!packing) return packing.status();
  const auto policy = quant_preset(flags.policy);
  if (!policy) return bad_flag("--policy", policy.status());
  const auto type = parse_value_dtype(flags.type);
  if (!type) return bad_flag("--type", type.status());
  auto a = read_operand({flags.a, flags.a_scales, *packing}, *policy, "--a-scales");
  if (!a) return a.status();
  auto b = read_operand({flags.b, flags.b_scales, *packing}, *policy, "--b-scales");
  if (!b) return b.status();
  const int64_t k = a->quantised.cols;
  if (flags.split_k > k / kBlock) {
    return Status::bad_input(fmt::format("--split-k: {} parts, but K = {} has {} blocks of {}", flags.split_k,
                                         k, k / kBlock, kBlock));
  }
  const auto product = reference::gemm(std::move(a->quantised), std::move(b->quantised),
                                       {.threads = 0, .split_k = flags.split_k});
  if (!product) return product.status();
  if (!flags.output.empty()) {
    if (Status status = write_array(flags.output, output_array(*product, *type)); !status) return status;
  }
  print_facts(*product, k);
  return {};
}

}  // namespace

void add_gemm(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = program.app.add_subcommand("gemm", "Multiply A by the transpose of B exactly");
  command->footer(kFooter);
  command->add_option("--a", flags->a, "A [M, K]: numbers to quantise, or a quantised matrix")->required();
  command->add_option("--b", flags->b, "B [N, K]: numbers to quantise, or a quantised matrix")->required();
  command->add_option("--a-scales", flags->a_scales, "Scales of A, when --a names codes alone");
  command->add_option("--b-scales", flags->b_scales, "Scales of B, when --b names codes alone");
  command->add_option("--policy", flags->policy, "Policy for operands that are numbers")
      ->capture_default_str();
  command->add_option("--packing", flags->packing,
                      "Packing of quantised operands: low-first, high-first or ggml\n(default: what the file "
                      "says, or low-first)");
  command->add_option("--type", flags->type, "Type of the output: bf16, f32 or f16")->capture_default_str();
  command->add_option("--split-k", flags->split_k, "Parts of K that the models also try")
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "FILE.npy or FILE.safetensors[:TENSOR]");
  command->callback([&program, flags] {
    program.action = [flags] {
      const Status status = multiply_files(*flags);
      return status ? static_cast<int>(kExitPass) : report_error(status);
    };
  });
}

}  // namespace mxproof
