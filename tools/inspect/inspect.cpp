#include "tools/inspect/inspect.hpp"

#include <fmt/format.h>

#include <memory>

#include "common/array/byte_source.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "tools/inspect/file_report.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Exit code: 0 done, 1 the machine does not know an instruction of a kernel shown, 2 a flag or file is "
    "wrong.\n\n"
    "Examples:\n"
    "  mxproof inspect kernel.co\n"
    "  mxproof inspect build/bin/mxproof --kernel gemm --json report.json";

struct InspectFlags {
  std::string file;
  std::string kernel;
  std::string json;
  bool hidden = false;
};

int run_inspect(const InspectFlags& flags) {
  const auto bytes = emulator::read_file_bytes(flags.file);
  if (!bytes) return report_error(bytes.status());
  auto report = report_file(*bytes);
  if (!report) {
    return report_error(Status::bad_input(fmt::format("{}: {}", flags.file, report.status().message())));
  }
  keep_kernels(*report, flags.kernel);
  fmt::print("{}: {}", flags.file, to_text(*report, flags.hidden));
  if (!flags.json.empty()) {
    const std::string text = report->dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    if (Status status = write_text(flags.json, text); !status) return report_error(status);
  }
  return has_unknown_instructions(*report) ? kExitFail : kExitPass;
}

}  // namespace

void add_inspect(Program& program) {
  auto flags = std::make_shared<InspectFlags>();
  CLI::App& command = *program.app.add_subcommand(
      "inspect", "List the targets, kernels and arguments in a code object, bundle or HIP program");
  command.footer(kFooter);
  command.add_option("FILE", flags->file, "Code object, offload bundle (also compressed) or HIP program")
      ->required();
  command.add_option("--kernel", flags->kernel, "Only kernels whose name contains this")->type_name("NAME");
  command.add_flag("--hidden", flags->hidden, "Show the arguments that the launcher fills in, too");
  command.add_option("--json", flags->json, "Write the report to FILE as JSON")->type_name("FILE");
  command.callback([&program, flags] { program.action = [flags] { return run_inspect(*flags); }; });
}

}  // namespace mxproof
