#include "tools/emulate/emulate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "emulator/loader/fat_binary.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "tools/emulate/emulator_flags.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "The program runs in place of this one, with its own exit code; 2 when it cannot be started. It must "
    "hold code for\n"
    "gfx950 and use HIP through a shared library. Kernels that do something wrong stop with one line on "
    "standard\n"
    "error.\n\n"
    "Examples:\n"
    "  mxproof emulate --watch all -- ./my_program --size 100\n"
    "  mxproof emulate --order shuffled:7 --counts launches.jsonl -- ./my_program";

struct EmulateFlags {
  EmulatorFlags emulator;
  std::vector<std::string> program;
};

// In front of what a list variable holds.
void prepend(const char* name, const std::string& value) {
  const char* before = std::getenv(name);
  const bool is_empty = before == nullptr || *before == '\0';
  ::setenv(name, is_empty ? value.c_str() : fmt::format("{}:{}", value, before).c_str(), 1);
}

// Where the shell would find `program`: itself when it has a slash, and otherwise the first file of PATH.
std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (true) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const std::string_view folder = colon == 0 ? "." : rest.substr(0, colon);
    const std::string path = fmt::format("{}/{}", folder, program);
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0) return path;
    if (colon == rest.size()) return program;
    rest.remove_prefix(colon + 1);
  }
}

// Why the program could not be started.
Status start_error(const std::string& program, const std::string& path, int error) {
  if (error == ENOEXEC || error == EACCES) {
    const auto bytes = emulator::read_file_bytes(path);
    const Expected<emulator::FatBinary> code = bytes ? emulator::FatBinary::parse(*bytes) : bytes.status();
    if (code && code->kind() != emulator::FatBinary::Kind::host_binary) {
      return Status::bad_input(
          fmt::format("{}: a code object, no program; `mxproof run` takes code objects", program));
    }
  }
  if (error == ENOEXEC) {
    return Status::bad_input(fmt::format(
        "{}: no program: neither an executable for this machine nor a script that begins with #!; "
        "`mxproof run` takes code objects",
        program));
  }
  return Status::bad_input(fmt::format("{}: {}", program, std::strerror(error)));
}

int run_emulate(const EmulateFlags& flags) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto libraries = self.parent_path().parent_path() / "lib";
  const auto library = libraries / "libmxproof_hip.so";
  if (error || !std::filesystem::exists(library, error)) {
    return report_error(Status::internal(fmt::format("the emulator is not there: {}", library.string())));
  }
  if (const Status status = flags.emulator.set_environment(); !status) return report_error(status);
  ::setenv("MXPROOF_DEVICE", "emulator", 1);
  prepend("LD_PRELOAD", library.string());
  // Programs linked with a HIP that is not installed find the library under that one's name.
  prepend("LD_LIBRARY_PATH", (libraries / "hip").string());
  std::vector<char*> arguments;
  for (const std::string& argument : flags.program) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  // Not execvp, which has a shell run whatever the system cannot.
  const std::string path = path_of(flags.program[0]);
  ::execv(path.c_str(), arguments.data());
  return report_error(start_error(flags.program[0], path, errno));
}

}  // namespace

void add_emulate(Program& program) {
  auto flags = std::make_shared<EmulateFlags>();
  CLI::App& command =
      *program.app.add_subcommand("emulate", "Run any HIP program built for gfx950 on the emulator");
  command.footer(emulator_flags_help() + "\n" + kFooter);
  flags->emulator.add_to(command);
  command.add_option("PROGRAM", flags->program, "The program and its arguments, after --")
      ->required()
      ->expected(-1);
  command.callback([&program, flags] { program.action = [flags] { return run_emulate(*flags); }; });
}

}  // namespace mxproof
