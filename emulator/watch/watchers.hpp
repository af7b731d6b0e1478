// The watchers: what can be looked for while a kernel runs, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "common/status.hpp"

namespace mxproof::emulator {

/// One file of this folder each.
enum class Watcher : uint8_t {
  bounds,
  lds_bounds,
  loop,
  uninit_register,
  uninit_lds,
  uninit_global,
  wait,
  lds_race,
  global_race,
  barrier,
  alignment,
  strict_alignment,
  descriptor,
  early_end,
};
inline constexpr size_t kWatchers = 14;

struct WatcherInfo {
  Watcher watcher = Watcher::bounds;
  std::string_view name;
  std::string_view finds;  ///< For lists: what it reports.
  bool is_in_all = true;   ///< False for what the hardware defines and correct kernels rely on.
};

/// Every watcher, in the order of the enumeration.
std::span<const WatcherInfo> all_watchers();
inline std::string_view watcher_name(Watcher watcher) {
  return all_watchers()[static_cast<size_t>(watcher)].name;
}

/// Which watchers are on.
class WatchSet {
 public:
  constexpr bool has(Watcher watcher) const { return (bits_ & bit(watcher)) != 0; }
  constexpr void add(Watcher watcher) { bits_ |= bit(watcher); }
  constexpr bool empty() const { return bits_ == 0; }
  /// Every watcher that a correct kernel never sets off.
  static WatchSet all();

 private:
  static constexpr uint32_t bit(Watcher watcher) { return 1U << static_cast<uint32_t>(watcher); }
  uint32_t bits_ = 0;
};

/// "all", or names separated by commas, or both: "all,descriptor".
/// Errors: bad_input naming the word and the names that there are.
Expected<WatchSet> parse_watchers(std::string_view text);

/// One line a watcher, for a command's help: "  name   what it finds".
std::string watcher_help();

}  // namespace mxproof::emulator
