#include "tools/emulate/emulator_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "emulator/runtime/environment.hpp"
#include "emulator/runtime/watch_log.hpp"
#include "emulator/watch/watchers.hpp"

namespace mxproof {
namespace {

struct FlagInfo {
  const char* name;
  const char* variable;
  const char* type;
  const char* help;
  bool is_file;
};

constexpr FlagInfo kFlags[] = {
    {"--watch", "MXPROOF_EMU_WATCH", "LIST", "Watchers: all, or names separated by commas, see below", false},
    {"--watch-json", "MXPROOF_EMU_WATCH_JSON", "FILE", "Write what the watchers report as JSON", true},
    {"--counts", "MXPROOF_EMU_COUNTS", "FILE",
     "Append what each launch did, one JSON object a line: instructions, matrix\nshapes, bytes and sectors, "
     "LDS bank conflicts, registers, modelled time",
     true},
    {"--order", "MXPROOF_EMU_ORDER", "ORDER", "Work-group order: asc, desc or shuffled:SEED", false},
    {"--budget", "MXPROOF_EMU_BUDGET", "N",
     "Instructions of one wave before its loop counts as endless\n(default: 2^32)", false},
    {"--threads", "MXPROOF_EMU_THREADS", "N", "Host threads of a launch (default: one a core)", false},
};

}  // namespace

void EmulatorFlags::add_to(CLI::App& command) {
  flags_.resize(std::size(kFlags));
  for (size_t i = 0; i < flags_.size(); ++i) {
    flags_[i] = {kFlags[i].variable, kFlags[i].is_file, ""};
    command.add_option(kFlags[i].name, flags_[i].value, kFlags[i].help)->type_name(kFlags[i].type);
  }
}

Status EmulatorFlags::set_environment() const {
  for (const Flag& flag : flags_) {
    if (flag.value.empty()) continue;
    const std::string value = flag.is_file ? std::filesystem::absolute(flag.value).string() : flag.value;
    ::setenv(flag.variable, value.c_str(), 1);
  }
  return emulator::Environment::read().status();
}

bool EmulatorFlags::any() const {
  return std::ranges::any_of(flags_, [](const Flag& flag) { return !flag.value.empty(); });
}

std::string emulator_flags_help() {
  std::string variables;
  for (const FlagInfo& flag : kFlags)
    variables += fmt::format("{}{}", variables.empty() ? "" : ", ", flag.variable);
  return fmt::format(
      "Watchers (exit code {} when one reports anything):\n{}\n"
      "The flags set environment variables that any program on the emulator obeys, `mxproof verify` too:\n"
      "{}\n",
      emulator::kExitWatched, emulator::watcher_help(), variables);
}

}  // namespace mxproof
