// What this program was built from and with. Every report carries it.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace mxproof {

struct BuildInfo {
  std::string_view version;
  std::string_view commit;  ///< Full hash, or "unknown" when built outside a git checkout.
  bool dirty = false;       ///< Tracked files differed from the commit.
  std::string_view compiler;
  std::string_view flags;
  std::string_view build_type;
  std::string_view platform;  ///< amd, nvidia or cpu
};

const BuildInfo& build_info();

/// The "build" object of a report, to which the caller adds device and driver.
nlohmann::json to_json(const BuildInfo& info);

}  // namespace mxproof
