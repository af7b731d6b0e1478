// What a watcher found, and the place where the findings of a launch are gathered.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/watch/watchers.hpp"

namespace mxproof::emulator {

struct Instruction;

/// Where in the launch something was found.
struct WatchPlace {
  uint64_t position = 0;  ///< Of the work-group in the order of the launch.
  std::array<uint32_t, 3> group{};
  uint32_t wave = 0;                  ///< In its work-group.
  int lane = -1;                      ///< -1: no lane, as for scalar instructions.
  std::optional<uint64_t> address{};  ///< Device address, or byte offset in LDS or scratch.
};

/// One distinct fault: the first case of it, and how often it came up.
struct WatchReport {
  Watcher watcher = Watcher::bounds;
  std::string kernel;
  uint64_t pc = 0;          ///< In the file's numbering, as objdump prints it.
  int64_t offset = 0;       ///< From the kernel's entry; below 0 in functions that lie before it.
  std::string instruction;  ///< As LLVM prints it.
  WatchPlace place;
  std::string text;    ///< What happened, and what would be right.
  uint64_t count = 0;  ///< Cases, this one included: an instruction of a wave counts once each time.
};

/// "+0x34" from the kernel's entry; "-0x34" in functions that lie before it.
std::string offset_text(int64_t offset);

/// One line: "wait: kernel K at pc 0x1234 (+0x34) 'v_add_f32 ...' [work-group 0,0,0 wave 1 lane 5]: text".
std::string to_text(const WatchReport& report);

/// Gathers findings by watcher and instruction. Thread safe. What is kept of each is the case of the
/// work-group that comes first in the launch's order, so that threads do not change the report.
class ReportSink {
 public:
  /// What is not yet a report: kernel and texts of instructions are filled in at the end.
  struct Finding {
    const Instruction* inst = nullptr;
    WatchPlace place;
    std::string text;
    uint64_t count = 0;
  };

  /// Notes a case; `text` is called when this is the case to keep.
  template <class Text>
  void add(Watcher watcher, const Instruction& inst, const WatchPlace& place, Text&& text) {
    const std::scoped_lock lock(mutex_);
    Finding* finding = slot(watcher, inst);
    if (finding == nullptr) return;
    const bool is_first = finding->count++ == 0 || place.position < finding->place.position;
    if (!is_first) return;
    finding->inst = &inst;
    finding->place = place;
    finding->text = std::forward<Text>(text)();
  }

  /// By watcher and address.
  std::vector<std::pair<Watcher, Finding>> findings() const;
  /// Findings that did not fit: distinct faults past the limit.
  bool is_full() const { return is_full_; }

 private:
  /// nullptr when there are too many.
  Finding* slot(Watcher watcher, const Instruction& inst);

  mutable std::mutex mutex_;
  std::map<std::pair<Watcher, uint64_t>, Finding> findings_;  // by watcher and pc
  bool is_full_ = false;
};

}  // namespace mxproof::emulator
