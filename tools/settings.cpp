#include "tools/settings.hpp"

#include <cstdlib>
#include <filesystem>

namespace mxproof {

void add_settings_flag(CLI::App& command, std::string& file) {
  command.add_option("--settings", file, "What `mxproof probe` found of a chip (default: $MXPROOF_SETTINGS)")
      ->type_name("FILE");
}

Expected<ChosenSettings> use_settings(const std::string& file) {
  if (file.empty()) return chip_settings_of_environment();
  Expected<ChosenSettings> chosen = read_chip_settings(file);
  if (!chosen) return bad_flag("--settings", chosen.status());
  ::setenv("MXPROOF_SETTINGS", std::filesystem::absolute(file).c_str(), 1);
  return chosen;
}

}  // namespace mxproof
