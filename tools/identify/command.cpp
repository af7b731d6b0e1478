#include "tools/identify/command.hpp"

#include <fmt/format.h>

#include <memory>

#include "tools/array_argument/array_argument.hpp"
#include "tools/identify/identify.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Exit code: 0 when the layout is certain or likely, 1 when it cannot be told, 2 bad input.\n\n"
    "Files are .npy, .safetensors[:TENSOR] or raw bytes as FILE@DTYPE:ROWSxCOLS. Without --original, "
    "statistics say\n"
    "what they can, which is nothing for data without structure.\n\n"
    "Examples:\n"
    "  mxproof identify scales.npy --rows 2880 --k 512\n"
    "  mxproof identify model.safetensors:w_shuffled --rows 2880 --k 512 --original model.safetensors:w\n"
    "  mxproof identify dump.bin@u8:1x46080 --rows 2880 --cols 512 --kind scales";

struct Flags {
  std::string file;
  std::string original;
  std::string kind;
  int64_t rows = 0;
  int64_t k = 0;
};

const char* certainty_text(identify::Certainty certainty) {
  switch (certainty) {
    case identify::Certainty::certain:
      return "certain";
    case identify::Certainty::ambiguous:
      return "several fit";
    case identify::Certainty::likely:
      return "likely";
    case identify::Certainty::unknown:
      return "cannot tell";
  }
  return "?";
}

Expected<bool> run(const Flags& flags) {
  if (flags.rows <= 0 || flags.k <= 0 || flags.k % kBlock != 0) {
    return Status::bad_input(
        fmt::format("--rows and --k must be positive and K a multiple of {}, not {} and {}", kBlock,
                    flags.rows, flags.k));
  }
  std::optional<LayoutKind> kind;
  if (flags.kind == "scales") kind = LayoutKind::scales;
  if (flags.kind == "codes") kind = LayoutKind::codes;
  const Expected<std::vector<uint8_t>> buffer = read_bytes_argument(flags.file);
  if (!buffer) return buffer.status();
  std::optional<std::vector<uint8_t>> original;
  if (!flags.original.empty()) {
    Expected<std::vector<uint8_t>> read = read_bytes_argument(flags.original);
    if (!read) return bad_flag("--original", read.status());
    original = std::move(*read);
  }
  const auto result =
      identify::identify(*buffer, flags.rows, flags.k, kind,
                         original ? std::optional(std::span<const uint8_t>(*original)) : std::nullopt);
  if (!result) return Status::bad_input(fmt::format("{}: {}", flags.file, result.status().message()));
  const bool told = result->certainty != identify::Certainty::unknown;
  fmt::print("{}{}: {}\n", certainty_text(result->certainty),
             told ? ": " + result->guesses.front().layout : "", result->reason);
  for (const identify::Guess& g : result->guesses) {
    fmt::print("  {:<36}", g.layout);
    if (original) fmt::print(" {:8.4f} % equal", 100 * g.agreement);
    fmt::print("  structure {:6.3f} %", 100 * g.structure);
    if (g.padding_fill) fmt::print("  padding all 0x{:02x}", *g.padding_fill);
    fmt::print("\n");
  }
  return told;
}

}  // namespace

void add_identify(Program& program) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = program.app.add_subcommand("identify", "Which layout is this buffer in?");
  command->footer(kFooter);
  command->add_option("FILE", flags->file, "Array file with scales or packed codes")
      ->type_name("")
      ->required();
  command->add_option("--rows", flags->rows, "Rows of the matrix")->required();
  command->add_option("--k,--cols", flags->k, "Elements (not bytes) a row")->required();
  command->add_option("--original", flags->original, "The same data in plain order")->type_name("FILE");
  command->add_option("--kind", flags->kind, "What the bytes are; both when left out")
      ->check(CLI::IsMember({"scales", "codes"}));
  command->callback([&program, flags] {
    program.action = [flags] {
      const Expected<bool> told = run(*flags);
      if (!told) return report_error(told.status());
      return static_cast<int>(*told ? kExitPass : kExitFail);
    };
  });
}

}  // namespace mxproof
