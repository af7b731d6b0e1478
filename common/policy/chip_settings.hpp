// What public sources leave open about gfx950: named switches, and the file that holds a choice of settings.
// The emulated machine computes as its settings say; the reference takes the accumulation model from them.
//
//   {"mxproof_settings": 1, "device": "AMD Instinct MI355X", "settings": {"mfma_accumulation": "fused", ...}}
//
// A switch that the file does not name keeps its default. "device" and "undetermined" (names of switches) are
// for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.hpp"

namespace mxproof {

#define MXPROOF_SWITCH(name, Type, about, ...) enum class Type : uint8_t { __VA_ARGS__ };
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH

/// One setting a switch; see chip_switches.def for what they mean.
struct ChipSettings {
#define MXPROOF_SWITCH(name, Type, about, ...) Type name{};
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH

  friend bool operator==(const ChipSettings&, const ChipSettings&) = default;
};

/// Every switch by its name.
enum class ChipSwitch : uint8_t {
#define MXPROOF_SWITCH(name, Type, about, ...) name,
#include "common/policy/chip_switches.def"
#undef MXPROOF_SWITCH
};

struct ChipSwitchInfo {
  ChipSwitch id{};
  std::string_view name;
  std::string_view about;
  std::vector<std::string_view> settings;  ///< Their names; the default first.
};

/// All switches, in the order of ChipSwitch.
std::span<const ChipSwitchInfo> chip_switches();
inline const ChipSwitchInfo& info_of(ChipSwitch id) {
  return chip_switches()[static_cast<size_t>(id)];
}

/// Index of the chosen setting in ChipSwitchInfo::settings.
size_t chosen_setting(const ChipSettings& settings, ChipSwitch id);
/// Chooses a setting by its index, which must be one of the switch's.
void choose_setting(ChipSettings& settings, ChipSwitch id, size_t setting);

/// A settings file: what it chooses, and defaults for the rest.
struct ChosenSettings {
  ChipSettings settings;
  std::vector<ChipSwitch> named;  ///< The switches that the file names.

  bool names(ChipSwitch id) const;
};

/// The file's text as settings. Errors: bad_input naming what is not understood and what would be.
Expected<ChosenSettings> parse_chip_settings(std::string_view text);

/// Reads a settings file. Errors: as above, behind the file's name.
Expected<ChosenSettings> read_chip_settings(const std::string& path);

/// The file's text. Switches in `undetermined` are listed there and not among the settings.
std::string chip_settings_text(const ChipSettings& settings, std::string_view device,
                               std::span<const ChipSwitch> undetermined = {});

/// The settings that the environment variable MXPROOF_SETTINGS names a file of; the defaults when it is not
/// set. Errors: as read_chip_settings, behind the variable's name.
Expected<ChosenSettings> chip_settings_of_environment();

}  // namespace mxproof
