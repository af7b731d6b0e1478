#include "common/policy/chip_settings.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "common/array/byte_source.hpp"

namespace mxproof {
namespace {

using nlohmann::ordered_json;

constexpr const char* kVariable = "MXPROOF_SETTINGS";
constexpr const char* kVersionKey = "mxproof_settings";
constexpr int kVersion = 1;
constexpr size_t kMaxFileBytes = 1 << 20;

/// "a, b, c" as the names between the commas.
std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    names.push_back(list.substr(0, end));
    list.remove_prefix(std::min(list.find_first_not_of(", ", end), list.size()));
  }
  return names;
}

std::vector<ChipSwitchInfo> make_switches() {
  return {
#define MXPROOF_SWITCH(name, Type, about, ...) {ChipSwitch::name, #name, about, names_in(#__VA_ARGS__)},
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH
  };
}

Status malformed(std::string_view what) {
  return Status::bad_input(fmt::format("settings: {}", what));
}

std::string switch_names() {
  std::vector<std::string_view> names;
  for (const ChipSwitchInfo& info : chip_switches()) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

Status apply(const std::string& name, const ordered_json& value, ChosenSettings& chosen) {
  const auto switches = chip_switches();
  const auto found = std::ranges::find(switches, name, &ChipSwitchInfo::name);
  if (found == switches.end())
    return malformed(fmt::format("there is no switch '{}'; there are {}", name, switch_names()));
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const auto setting = std::ranges::find(found->settings, text);
  if (!value.is_string() || setting == found->settings.end()) {
    return malformed(
        fmt::format("'{}' is no setting of {}; there are {}", text, name, fmt::join(found->settings, ", ")));
  }
  choose_setting(chosen.settings, found->id, static_cast<size_t>(setting - found->settings.begin()));
  chosen.named.push_back(found->id);
  return {};
}

}  // namespace

std::span<const ChipSwitchInfo> chip_switches() {
  static const std::vector<ChipSwitchInfo> switches = make_switches();
  return switches;
}

size_t chosen_setting(const ChipSettings& settings, ChipSwitch id) {
  switch (id) {
#define MXPROOF_SWITCH(name, Type, about, ...) \
  case ChipSwitch::name:                       \
    return static_cast<size_t>(settings.name);
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH
  }
  return 0;
}

void choose_setting(ChipSettings& settings, ChipSwitch id, size_t setting) {
  assert(setting < info_of(id).settings.size());
  switch (id) {
#define MXPROOF_SWITCH(name, Type, about, ...)  \
  case ChipSwitch::name:                        \
    settings.name = static_cast<Type>(setting); \
    break;
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH
  }
}

bool ChosenSettings::names(ChipSwitch id) const {
  return std::ranges::find(named, id) != named.end();
}

Expected<ChosenSettings> parse_chip_settings(std::string_view text) {
  const ordered_json file = ordered_json::parse(text, nullptr, false);
  if (file.is_discarded()) return malformed("not JSON");
  if (!file.is_object() || !file.contains(kVersionKey))
    return malformed(fmt::format("no object with a member \"{}\": not a settings file", kVersionKey));
  if (file[kVersionKey] != kVersion)
    return malformed(
        fmt::format("\"{}\" is {}, only {} is known", kVersionKey, file[kVersionKey].dump(), kVersion));
  ChosenSettings chosen;
  for (const auto& [key, value] : file.items()) {
    if (key == kVersionKey || key == "device" || key == "undetermined") continue;
    if (key != "settings")
      return malformed(
          fmt::format("there is no member \"{}\"; there are \"{}\", \"device\", \"settings\" and "
                      "\"undetermined\"",
                      key, kVersionKey));
    if (!value.is_object()) return malformed("\"settings\" is no object");
    for (const auto& [name, setting] : value.items())
      if (Status status = apply(name, setting, chosen); !status) return status;
  }
  return chosen;
}

Expected<ChosenSettings> read_chip_settings(const std::string& path) {
  const Expected<std::string> text = read_text(path, kMaxFileBytes);
  if (!text) return text.status();
  Expected<ChosenSettings> settings = parse_chip_settings(*text);
  if (!settings) return Status::bad_input(fmt::format("{}: {}", path, settings.status().message()));
  return settings;
}

std::string chip_settings_text(const ChipSettings& settings, std::string_view device,
                               std::span<const ChipSwitch> undetermined) {
  ordered_json file;
  file[kVersionKey] = kVersion;
  file["device"] = device;
  file["settings"] = ordered_json::object();
  for (const ChipSwitchInfo& info : chip_switches()) {
    if (std::ranges::find(undetermined, info.id) == undetermined.end())
      file["settings"][std::string(info.name)] = info.settings[chosen_setting(settings, info.id)];
  }
  file["undetermined"] = ordered_json::array();
  for (const ChipSwitch id : undetermined) file["undetermined"].push_back(info_of(id).name);
  return file.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Expected<ChosenSettings> chip_settings_of_environment() {
  const char* path = std::getenv(kVariable);
  if (path == nullptr) return ChosenSettings{};
  if (*path == '\0') return Status::bad_input(fmt::format("{} is empty: must be a file name", kVariable));
  Expected<ChosenSettings> settings = read_chip_settings(path);
  if (!settings) return Status::bad_input(fmt::format("{}={}", kVariable, settings.status().message()));
  return settings;
}

}  // namespace mxproof
