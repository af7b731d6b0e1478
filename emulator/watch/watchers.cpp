#include "emulator/watch/watchers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mxproof::emulator {
namespace {

constexpr std::array<WatcherInfo, kWatchers> kInfos = {{
    {Watcher::bounds, "bounds",
     "global or scratch memory outside every allocation (always stops the launch)"},
    {Watcher::lds_bounds, "lds-bounds", "LDS past what the work-group has (always stops the launch)"},
    {Watcher::loop, "loop",
     "a wave that runs past its instruction budget, with the loop's range of addresses"},
    {Watcher::uninit_register, "uninit-register", "a VGPR, AGPR or SGPR used that was never written"},
    {Watcher::uninit_lds, "uninit-lds", "a value used that comes from LDS bytes nobody wrote"},
    {Watcher::uninit_global, "uninit-global", "a value used that comes from hipMalloc'ed bytes nobody wrote"},
    {Watcher::wait, "wait", "a value used before the s_waitcnt that its load needs"},
    {Watcher::lds_race, "lds-race", "waves of a work-group at the same LDS bytes without a barrier between"},
    {Watcher::global_race, "global-race", "work-groups of a launch at the same bytes, at least one storing"},
    {Watcher::barrier, "barrier", "waves of a work-group that wait at different barriers"},
    {Watcher::alignment, "alignment",
     "misaligned atomics, scalar loads and loads to LDS: the chip does not do them"},
    {Watcher::strict_alignment, "strict-alignment", "other misaligned accesses, which cost time (not in all)",
     false},
    {Watcher::descriptor, "descriptor", "buffer accesses outside their descriptor's range (not in all)",
     false},
    {Watcher::early_end, "early-end", "a wave that ended while others wait at a barrier (not in all)", false},
}};

}  // namespace

std::span<const WatcherInfo> all_watchers() {
  return kInfos;
}

WatchSet WatchSet::all() {
  WatchSet set;
  for (const WatcherInfo& info : kInfos) {
    if (info.is_in_all) set.add(info.watcher);
  }
  return set;
}

Expected<WatchSet> parse_watchers(std::string_view text) {
  WatchSet set;
  while (true) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, comma);
    const auto* found = std::ranges::find(kInfos, word, &WatcherInfo::name);
    if (word == "all") {
      for (const WatcherInfo& info : kInfos) {
        if (info.is_in_all) set.add(info.watcher);
      }
    } else if (found != kInfos.end()) {
      set.add(found->watcher);
    } else {
      std::string names = "all";
      for (const WatcherInfo& info : kInfos) names += fmt::format(", {}", info.name);
      return Status::bad_input(fmt::format("'{}' is no watcher; there are {}", word, names));
    }
    if (comma == text.size()) return set;
    text.remove_prefix(comma + 1);
  }
}

std::string watcher_help() {
  std::string text;
  for (const WatcherInfo& info : kInfos) text += fmt::format("  {:<18}{}\n", info.name, info.finds);
  return text;
}

}  // namespace mxproof::emulator
