#include "tools/verify/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "common/array/byte_source.hpp"
#include "common/shapes/shape_list.hpp"
#include "tools/settings.hpp"

namespace mxproof {
namespace {

std::string route_names() {
  std::string names;
  for (const Route route : kRoutes) names += fmt::format("{}, ", route_name(route));
  return names + "all, auto";
}

Expected<std::vector<std::optional<Route>>> parse_paths(const std::string& text) {
  std::vector<std::optional<Route>> paths;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    begin = end + 1;
    if (name == "all") {
      paths.insert(paths.end(), std::begin(kRoutes), std::end(kRoutes));
    } else if (name == "auto") {
      paths.emplace_back();
    } else if (const std::optional<Route> route = find_route(name)) {
      paths.emplace_back(route);
    } else {
      return Status::bad_input(fmt::format("'{}' is no path; there are {}", name, route_names()));
    }
  }
  return paths;
}

uint64_t fresh_seed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

}  // namespace

Expected<VerifyOptions> parse_flags(const VerifyFlags& flags) {
  VerifyOptions options;
  if (flags.a.empty() != flags.b.empty())
    return Status::bad_input(
        fmt::format("{} needs {} too", flags.a.empty() ? "--b" : "--a", flags.a.empty() ? "--a" : "--b"));
  if (!flags.a.empty() && !flags.shapes.empty())
    return Status::bad_input(
        "--shapes: the files of --a and --b have shapes of their own; give one or the other");
  if (!flags.a.empty() && !flags.seed.empty())
    return Status::bad_input("--seed: the files of --a and --b are the inputs; give one or the other");
  options.a_file = flags.a;
  options.b_file = flags.b;

  if (flags.a.empty()) {
    const auto shapes = flags.shapes.empty() ? default_shapes() : parse_shapes(flags.shapes);
    if (!shapes) return bad_flag("--shapes", shapes.status());
    options.shapes = *shapes;
  }
  const auto paths = parse_paths(flags.path);
  if (!paths) return bad_flag("--path", paths.status());
  options.paths = *paths;

  const Expected<uint64_t> seed = flags.seed.empty() ? fresh_seed() : parse_seed(flags.seed);
  if (!seed) return bad_flag("--seed", seed.status());
  options.seed = *seed;

  const auto policy = quant_preset(flags.policy);
  if (!policy) return bad_flag("--policy", policy.status());
  options.policy = *policy;
  const auto acceptance = parse_acceptance(flags.accept);
  if (!acceptance) return bad_flag("--accept", acceptance.status());
  options.acceptance = *acceptance;

  const auto chosen = use_settings(flags.settings);
  if (!chosen) return chosen.status();
  options.settings_file = flags.settings;
  if (chosen->names(ChipSwitch::mfma_accumulation)) options.accumulation = chosen->settings.mfma_accumulation;

  if (!flags.json.empty())
    if (Status status = check_writable(flags.json); !status) return bad_flag("--json", status);
  options.json_file = flags.json;
  return options;
}

}  // namespace mxproof
