#include "tools/probe_data/command.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <memory>

#include "common/array/file.hpp"
#include "common/layout/any_layout.hpp"
#include "tools/array_argument/array_argument.hpp"
#include "tools/probe_data/probe.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "1. mxproof probe-data --n 64 --k 512 -o probe        writes probe/a.npy, probe/code_0.safetensors, ...\n"
    "2. Run the kernel on A and each B (tensors 'codes' and 'scales'); save each C [K, N] as an array file.\n"
    "3. mxproof probe-data --n 64 --k 512 --read c_code_0.npy ... c_scale_0.npy ...\n\n"
    "A is the K x K identity, so M = K. Give the files in the order of the runs, code runs first. N and K "
    "that\n"
    "differ and are no powers of two tell more layouts apart, where the kernel allows them. --read takes the "
    "layouts\n"
    "that the data was written in.\n\n"
    "Exit code: 0 written, or everything is read from its place; 1 something is not; 2 bad input.\n\n"
    "Examples:\n"
    "  mxproof probe-data --n 48 --k 320 -o probe\n"
    "  mxproof probe-data --n 48 --k 320 -o probe --scales-layout scale_32x8 --codes-layout codes_16x16\n"
    "  mxproof probe-data --n 48 --k 320 --read c_code_?.npy c_scale_?.npy --scales-layout scale_32x8";

struct Flags {
  int64_t n = 64;
  int64_t k = 512;
  std::string directory;
  std::string codes_layout = "codes_row_major";
  std::string scales_layout = "scale_row_major";
  std::vector<std::string> outputs;
};

Expected<Array> packed(std::string_view layout_name, LayoutKind kind, const probe::Shape& s,
                       std::span<const uint8_t> plain) {
  const Expected<AnyLayout> layout = AnyLayout::make(layout_name, extent_of(kind, s.n, s.k));
  if (!layout) return layout.status();
  if (layout->info().kind != kind)
    return Status::bad_input(fmt::format("{} is no layout of these bytes", layout_name));
  const std::vector<uint8_t> bytes = pack(*layout, plain, 0x7f);
  Array array{Dtype::u8, {layout->padded().rows, layout->padded().cols}, {}};
  array.bytes.resize(bytes.size());
  std::memcpy(array.bytes.data(), bytes.data(), bytes.size());
  return array;
}

Status write_run(const Flags& flags, const probe::Shape& s, const std::string& name, const Mxfp4Matrix& b) {
  Expected<Array> codes = packed(flags.codes_layout, LayoutKind::codes, s, b.codes);
  if (!codes) return bad_flag("--codes-layout", codes.status());
  Expected<Array> scales = packed(flags.scales_layout, LayoutKind::scales, s, b.scales);
  if (!scales) return bad_flag("--scales-layout", scales.status());
  return write_safetensors(flags.directory + "/" + name + ".safetensors",
                           {{"codes", std::move(*codes)}, {"scales", std::move(*scales)}});
}

Status write_probe(const Flags& flags, const probe::Shape& s) {
  std::error_code error;
  std::filesystem::create_directories(flags.directory, error);
  if (error)
    return Status::bad_input(fmt::format("{}: cannot be made: {}", flags.directory, error.message()));
  if (Status status = write_array(flags.directory + "/a.npy", to_array(probe::identity(s.k))); !status)
    return status;
  for (int run = 0; run < probe::code_runs(s); ++run) {
    if (Status status = write_run(flags, s, fmt::format("code_{}", run), probe::code_run(s, run)); !status)
      return status;
  }
  for (int run = 0; run < probe::scale_runs(s); ++run) {
    if (Status status = write_run(flags, s, fmt::format("scale_{}", run), probe::scale_run(s, run)); !status)
      return status;
  }
  fmt::print("{}: A [{}, {}] in a.npy, {} code runs and {} scale runs for B [{}, {}]\n", flags.directory, s.k,
             s.k, probe::code_runs(s), probe::scale_runs(s), s.n, s.k);
  return {};
}

Expected<std::string> layout_name(const std::string& flag, const std::string& name, LayoutKind kind) {
  const Expected<LayoutInfo> info = find_layout(name);
  if (!info) return bad_flag(flag, info.status());
  if (info->kind != kind)
    return bad_flag(flag, Status::bad_input(fmt::format("{} is no layout of these bytes", name)));
  return std::string(info->name);
}

/// True when the kernel reads everything from its place.
Expected<bool> read_probe(const Flags& flags, const probe::Shape& s) {
  const auto codes = layout_name("--codes-layout", flags.codes_layout, LayoutKind::codes);
  if (!codes) return codes.status();
  const auto scales = layout_name("--scales-layout", flags.scales_layout, LayoutKind::scales);
  if (!scales) return scales.status();
  std::vector<Matrix<Bf16>> code_outputs;
  std::vector<Matrix<Bf16>> scale_outputs;
  for (const std::string& file : flags.outputs) {
    const Expected<Array> array = read_array_argument(file);
    if (!array) return array.status();
    Expected<Matrix<Bf16>> matrix = to_bf16_matrix(*array, file);
    if (!matrix) return matrix.status();
    const bool code = static_cast<int>(code_outputs.size()) < probe::code_runs(s);
    (code ? code_outputs : scale_outputs).push_back(std::move(*matrix));
  }
  const Expected<probe::Reading> reading = probe::read(s, code_outputs, scale_outputs);
  if (!reading) return reading.status();
  fmt::print("{}", probe::describe(*reading, {*codes, *scales}));
  return probe::all_in_place(*reading);
}

}  // namespace

void add_probe_data(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command =
      program.app.add_subcommand("probe-data", "Inputs whose output names the layout a kernel reads");
  command->footer(kFooter);
  command->add_option("--n", flags->n, "Rows of B")->capture_default_str();
  command->add_option("--k", flags->k, "Elements a row")->capture_default_str();
  auto* write = command->add_option("-o,--output", flags->directory, "Folder to write the inputs to")
                    ->type_name("FOLDER");
  command->add_option("--codes-layout", flags->codes_layout, "Layout in which B's codes are written")
      ->capture_default_str();
  command->add_option("--scales-layout", flags->scales_layout, "Layout in which B's scales are written")
      ->capture_default_str();
  command->add_option("--read", flags->outputs, "Outputs of all runs, code runs first")
      ->type_name("FILE")
      ->excludes(write);
  command->callback([&program, flags] {
    program.action = [flags] {
      const probe::Shape shape{flags->n, flags->k};
      Status status = probe::validate(shape);
      if (status && flags->outputs.empty() && flags->directory.empty()) {
        status = Status::bad_input(
            "probe-data needs -o FOLDER to write inputs, or --read FILE... to read outputs");
      }
      if (status && flags->outputs.empty()) status = write_probe(*flags, shape);
      if (!status) return report_error(status);
      if (flags->outputs.empty()) return static_cast<int>(kExitPass);
      const Expected<bool> right = read_probe(*flags, shape);
      if (!right) return report_error(right.status());
      return static_cast<int>(*right ? kExitPass : kExitFail);
    };
  });
}

}  // namespace mxproof
