#include "emulator/runtime/watch_log.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mxproof::emulator {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const WatchReport& report) {
  Json json;
  json["watcher"] = watcher_name(report.watcher);
  json["kernel"] = report.kernel;
  json["pc"] = report.pc;
  json["offset"] = report.offset;
  json["instruction"] = report.instruction;
  json["work_group"] = report.place.group;
  json["wave"] = report.place.wave;
  if (report.place.lane >= 0) json["lane"] = report.place.lane;
  if (report.place.address) json["address"] = *report.place.address;
  json["text"] = report.text;
  json["count"] = report.count;
  return json;
}

/// Ends the process's log when the library goes, which is after the program's own objects have.
struct AtExit {
  ~AtExit() {
    try {
      if (!WatchLog::get().finish()) return;
      // Nothing that runs after this changes the exit code any more; what is buffered has to go out first.
      std::cout.flush();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "libmxproof_hip: the watchers' log is lost: %s\n", error.what());
    }
    std::fflush(nullptr);
    ::_exit(kExitWatched);
  }
};
const AtExit at_exit;

}  // namespace

WatchLog& WatchLog::get() {
  static auto* log = new WatchLog();
  return *log;
}

void WatchLog::begin(const Environment& environment) {
  has_begun_ = true;
  watchers_ = environment.watchers;
  file_ = environment.watch_file;
}

void WatchLog::add(std::span<const WatchReport> reports) {
  ++launches_;
  for (const WatchReport& report : reports) {
    const auto [at, is_new] = index_.try_emplace({report.watcher, report.kernel, report.pc}, reports_.size());
    if (!is_new) {
      reports_[at->second].count += report.count;
      continue;
    }
    reports_.push_back(report);
    fmt::print(stderr, "libmxproof_hip: {}\n", to_text(report));
  }
}

std::string WatchLog::to_json() const {
  Json json;
  json["watchers"] = Json::array();
  for (const WatcherInfo& info : all_watchers()) {
    if (watchers_.has(info.watcher)) json["watchers"].push_back(info.name);
  }
  json["launches"] = launches_;
  json["reports"] = Json::array();
  for (const WatchReport& report : reports_) json["reports"].push_back(emulator::to_json(report));
  return json.dump(2);
}

bool WatchLog::finish() {
  if (!has_begun_) return false;
  if (!file_.empty()) {
    std::ofstream file(file_);
    file << to_json() << '\n';
    if (!file.flush())
      fmt::print(stderr, "libmxproof_hip: MXPROOF_EMU_WATCH_JSON={}: cannot be written\n", file_);
  }
  if (reports_.empty()) return false;
  std::set<std::string> kernels;
  for (const WatchReport& report : reports_) kernels.insert(report.kernel);
  fmt::print(stderr, "libmxproof_hip: the watchers report {} fault{} in {} kernel{}, in {} launch{}:\n",
             reports_.size(), reports_.size() == 1 ? "" : "s", kernels.size(), kernels.size() == 1 ? "" : "s",
             launches_, launches_ == 1 ? "" : "es");
  for (const WatchReport& report : reports_) {
    fmt::print(stderr, "libmxproof_hip:   {} at pc 0x{:x} of {}, {} time{}\n", watcher_name(report.watcher),
               report.pc, report.kernel, report.count, report.count == 1 ? "" : "s");
  }
  return true;
}

}  // namespace mxproof::emulator
