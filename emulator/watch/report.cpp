#include "emulator/watch/report.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "emulator/isa/instruction.hpp"

namespace mxproof::emulator {
namespace {

/// Distinct faults kept of one launch. A kernel with more has one cause for most of them.
constexpr size_t kMostFindings = 200;

}  // namespace

std::string offset_text(int64_t offset) {
  return fmt::format("{}0x{:x}", offset < 0 ? '-' : '+', std::abs(offset));
}

std::string to_text(const WatchReport& report) {
  const WatchPlace& place = report.place;
  std::string where =
      fmt::format("work-group {},{},{} wave {}", place.group[0], place.group[1], place.group[2], place.wave);
  if (place.lane >= 0) where += fmt::format(" lane {}", place.lane);
  if (place.address) where += fmt::format(" address 0x{:x}", *place.address);
  std::string text = fmt::format("{}: kernel {} at pc 0x{:x} ({}) '{}' [{}]: {}",
                                 watcher_name(report.watcher), report.kernel, report.pc,
                                 offset_text(report.offset), report.instruction, where, report.text);
  if (report.count > 1) text += fmt::format(" ({} times)", report.count);
  return text;
}

ReportSink::Finding* ReportSink::slot(Watcher watcher, const Instruction& inst) {
  const auto key = std::pair(watcher, inst.pc);
  if (const auto found = findings_.find(key); found != findings_.end()) return &found->second;
  is_full_ = findings_.size() >= kMostFindings;
  return is_full_ ? nullptr : &findings_[key];
}

std::vector<std::pair<Watcher, ReportSink::Finding>> ReportSink::findings() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::pair<Watcher, Finding>> result;
  for (const auto& [key, finding] : findings_) result.emplace_back(key.first, finding);
  return result;
}

}  // namespace mxproof::emulator
