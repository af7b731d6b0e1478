#include "emulator/watch/barrier.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

/// The s_barrier that the wave waits at: it has moved past it already.
const Instruction& waiting_at(const Wave& wave) {
  return wave.pc[-1];
}

}  // namespace

void check_barrier(std::span<const std::unique_ptr<Wave>> waves, WatchSet watchers,
                   const Reporter& reporter) {
  const Wave* first = nullptr;
  const Wave* ended = nullptr;
  for (const auto& wave : waves) {
    if (wave->state == WaveState::barrier && first == nullptr) first = wave.get();
    if (wave->state == WaveState::ended && ended == nullptr) ended = wave.get();
  }
  if (first == nullptr) return;
  if (ended != nullptr && watchers.has(Watcher::early_end)) {
    reporter.report(Watcher::early_end, waiting_at(*first), first->index_in_group, -1, std::nullopt, [&] {
      return fmt::format("waits at a barrier that wave {} will not come to: it has ended",
                         ended->index_in_group);
    });
  }
  if (!watchers.has(Watcher::barrier)) return;
  for (const auto& wave : waves) {
    if (wave->state != WaveState::barrier || waiting_at(*wave).pc == waiting_at(*first).pc) continue;
    reporter.report(Watcher::barrier, waiting_at(*wave), wave->index_in_group, -1, std::nullopt, [&] {
      return fmt::format("waits here while wave {} waits at {}: all waves must come to the same barrier",
                         first->index_in_group, reporter.name_of(waiting_at(*first)));
    });
  }
}

}  // namespace mxproof::emulator
