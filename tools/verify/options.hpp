// What `mxproof verify` was asked to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/policy/acceptance.hpp"
#include "common/policy/chip_settings.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/shape.hpp"
#include "common/status.hpp"
#include "optimized/plan/plan.hpp"

namespace mxproof {

/// The flags as they were given.
struct VerifyFlags {
  std::string shapes;
  std::string path = "auto";
  std::string seed;
  std::string a;
  std::string b;
  std::string policy = "even";
  std::string accept = "exact-zone";
  std::string device;
  std::string json;
  std::string settings;
};

struct VerifyOptions {
  std::vector<GemmShape> shapes;            ///< Not used when files are given.
  std::vector<std::optional<Route>> paths;  ///< Nothing: the router decides.
  uint64_t seed = 0;
  std::string a_file;  ///< Both files are set or neither is.
  std::string b_file;
  std::string json_file;
  QuantPolicy policy;
  Acceptance acceptance;
  std::string settings_file;
  std::optional<MfmaAccumulation> accumulation;  ///< What the settings file says of the chip, if it does.
};

/// Checks every flag; the error names it. A seed that was not given is drawn afresh.
Expected<VerifyOptions> parse_flags(const VerifyFlags& flags);

}  // namespace mxproof
