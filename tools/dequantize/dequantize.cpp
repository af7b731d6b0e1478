#include "tools/dequantize/dequantize.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "common/array/file.hpp"
#include "reference/dequantize.hpp"
#include "tools/quantized/operand.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "A FILE.safetensors that `mxproof quantize` wrote says itself how its codes are packed.\n\n"
    "Exit code: 0 written, 2 a flag or file is wrong.\n\n"
    "Examples:\n"
    "  mxproof dequantize w.safetensors -o w.npy\n"
    "  mxproof dequantize m.safetensors:w --scales m.safetensors:w_scale --packing high-first --type bf16 -o "
    "w.npy\n"
    "  mxproof dequantize blocks.npy --packing ggml -o w.npy";

struct Flags {
  std::string input;
  std::string scales;
  std::string output;
  std::string packing;
  std::string type = "f32";
};

template <class T>
Array as_array(Dtype dtype, const Matrix<T>& matrix) {
  Array array{dtype, {matrix.rows, matrix.cols}, {}};
  array.bytes.resize(matrix.data.size() * sizeof(T));
  std::memcpy(array.bytes.data(), matrix.data.data(), array.bytes.size());
  return array;
}

Status dequantize_file(const Flags& flags) {
  const auto packing = parse_packing_flag(flags.packing);
  if (!packing) return packing.status();
  const auto type = parse_value_dtype(flags.type);
  if (!type) return bad_flag("--type", type.status());
  const auto matrix = read_quantized({flags.input, flags.scales, *packing});
  if (!matrix) return matrix.status();
  const Array array = *type == Dtype::f32   ? as_array(*type, reference::dequantize_f32(*matrix))
                      : *type == Dtype::f16 ? as_array(*type, reference::dequantize_f16(*matrix))
                                            : as_array(*type, reference::dequantize_bf16(*matrix));
  if (Status status = write_array(flags.output, array); !status) return status;
  fmt::print("{} -> {}\n", describe(array), flags.output);
  return {};
}

}  // namespace

void add_dequantize(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.app.add_subcommand("dequantize", "Turn MXFP4 codes and scales back into numbers");
  command->footer(kFooter);
  command
      ->add_option(
          "input", flags->input,
          "FILE.safetensors with tensors codes and scales, or the codes alone with --scales,\nor GGML blocks")
      ->required();
  command->add_option("--scales", flags->scales, "The scales, when they lie in another array");
  command->add_option("--packing", flags->packing,
                      "low-first, high-first or ggml (default: what the file says, or low-first)");
  command->add_option("--type", flags->type, "f32, bf16 or f16, rounded to nearest even")
      ->capture_default_str();
  command->add_option("-o,--output", flags->output, "FILE.npy or FILE.safetensors[:TENSOR]")->required();
  command->callback([&program, flags] {
    program.action = [flags] {
      const Status status = dequantize_file(*flags);
      return status ? static_cast<int>(kExitPass) : report_error(status);
    };
  });
}

}  // namespace mxproof
