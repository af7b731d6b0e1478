#include "emulator/runtime/environment.hpp"

#include <unistd.h>

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

constexpr std::string_view kPrefix = "MXPROOF_EMU_";
constexpr unsigned kMaxThreads = 1024;

template <class T>
bool parse_number(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

Status set_threads(Environment& environment, std::string_view value) {
  if (parse_number(value, &environment.threads) && environment.threads >= 1 &&
      environment.threads <= kMaxThreads) {
    return {};
  }
  return Status::bad_input(
      fmt::format("MXPROOF_EMU_THREADS={}: must be a number from 1 to {}", value, kMaxThreads));
}

Status set_order(Environment& environment, std::string_view value) {
  constexpr std::string_view kShuffled = "shuffled:";
  if (value == "asc" || value == "ascending") {
    environment.order = GroupOrder::ascending;
  } else if (value == "desc" || value == "descending") {
    environment.order = GroupOrder::descending;
  } else if (value.starts_with(kShuffled) &&
             parse_number(value.substr(kShuffled.size()), &environment.order_seed)) {
    environment.order = GroupOrder::shuffled;
  } else {
    return Status::bad_input(fmt::format("MXPROOF_EMU_ORDER={}: must be asc, desc or shuffled:SEED", value));
  }
  return {};
}

Status set_budget(Environment& environment, std::string_view value) {
  uint64_t budget = 0;
  if (!parse_number(value, &budget) || budget == 0)
    return Status::bad_input(fmt::format("MXPROOF_EMU_BUDGET={}: must be a number from 1", value));
  environment.budget = budget;
  return {};
}

Status set_watchers(Environment& environment, std::string_view value) {
  const auto watchers = parse_watchers(value);
  if (!watchers)
    return Status::bad_input(fmt::format("MXPROOF_EMU_WATCH={}: {}", value, watchers.status().message()));
  environment.watchers = *watchers;
  return {};
}

Status set_file(const char* name, std::string_view value, std::string& file) {
  if (value.empty()) return Status::bad_input(fmt::format("{} is empty: must be a file name", name));
  file = value;
  return {};
}
Status set_watch_file(Environment& environment, std::string_view value) {
  return set_file("MXPROOF_EMU_WATCH_JSON", value, environment.watch_file);
}
Status set_counts_file(Environment& environment, std::string_view value) {
  return set_file("MXPROOF_EMU_COUNTS", value, environment.counts_file);
}

Status set_chip(Environment& environment, std::string_view value) {
  environment.chip = find_chip(value);
  if (environment.chip != nullptr) return {};
  std::string known;
  for (const Chip* chip : kChips) known += fmt::format("{}{}", known.empty() ? "" : " or ", chip->arch);
  return Status::bad_input(fmt::format("MXPROOF_EMU_CHIP={}: must be {}", value, known));
}

struct Variable {
  std::string_view name;
  Status (*set)(Environment&, std::string_view);
};

constexpr Variable kVariables[] = {
    {"MXPROOF_EMU_THREADS", set_threads},
    {"MXPROOF_EMU_ORDER", set_order},
    {"MXPROOF_EMU_BUDGET", set_budget},
    {"MXPROOF_EMU_WATCH", set_watchers},
    {"MXPROOF_EMU_WATCH_JSON", set_watch_file},
    {"MXPROOF_EMU_COUNTS", set_counts_file},
    {"MXPROOF_EMU_CHIP", set_chip},
};

Status set(Environment& environment, std::string_view name, std::string_view value) {
  std::string known;
  for (const Variable& variable : kVariables) {
    if (variable.name == name) return variable.set(environment, value);
    known += known.empty() ? "" : ", ";
    known += variable.name;
  }
  return Status::bad_input(fmt::format("{}: there is no such setting; there are {}", name, known));
}

}  // namespace

Expected<Environment> Environment::read() {
  Environment environment;
  const Expected<ChosenSettings> chosen = chip_settings_of_environment();
  if (!chosen) return chosen.status();
  environment.settings = chosen->settings;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (!text.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    Status status = set(environment, text.substr(0, equals), text.substr(equals + 1));
    if (!status.ok()) return status;
  }
  if (!environment.watch_file.empty() && environment.watchers.empty())
    return Status::bad_input(
        "MXPROOF_EMU_WATCH_JSON is set, but MXPROOF_EMU_WATCH is not: nothing is watched");
  return environment;
}

const Chip& claimed_chip() {
  static const Chip& chip = []() -> const Chip& {
    const Expected<Environment> environment = Environment::read();
    return environment ? *environment->chip : kGfx950;
  }();
  return chip;
}

}  // namespace mxproof::emulator
