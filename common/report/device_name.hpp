// What the name of a device says of results that come from it.
#pragma once

#include <string_view>

namespace mxproof {

/// A machine that is no silicon says so in its name, "gfx950 (emulated)": its times are no latencies.
constexpr bool is_emulated_name(std::string_view device) {
  return device.find("(emulated)") != std::string_view::npos;
}

}  // namespace mxproof
