// What watches a launch: shared by the threads that run its work-groups.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "emulator/machine/global_memory.hpp"
#include "emulator/watch/access_counts.hpp"
#include "emulator/watch/global_race.hpp"
#include "emulator/watch/report.hpp"
#include "emulator/watch/reporter.hpp"
#include "emulator/watch/request.hpp"

namespace mxproof::emulator {

class CodeObject;
class Program;
struct Fault;
struct Kernel;

class LaunchWatch {
 public:
  LaunchWatch(const WatchRequest& request, const Program& program, const CodeObject& code_object,
              const Kernel& kernel, std::shared_ptr<const AllocationTable> table);

  const WatchRequest& request() const { return request_; }
  bool has(Watcher watcher) const { return request_.watchers.has(watcher); }
  const Program& program() const { return *program_; }
  const AllocationTable& table() const { return *table_; }
  Reporter reporter() { return {sink_, *program_, *code_object_}; }
  GlobalRace* global_race() { return global_race_ ? &*global_race_ : nullptr; }
  SectorMap* sectors() { return sectors_ ? &*sectors_ : nullptr; }

  /// Adds a thread's counts.
  void merge(const AccessCounts& counts);
  /// A wave was stopped: the report of what stopped it, if that is a watcher's business.
  void report_stop(const Fault& fault, uint64_t position, const std::array<uint32_t, 3>& group);

  /// After the launch.
  AccessCounts counts() const;
  std::vector<WatchReport> reports() const;

 private:
  WatchRequest request_;
  const Program* program_;
  const CodeObject* code_object_;
  const Kernel* kernel_;
  std::shared_ptr<const AllocationTable> table_;
  ReportSink sink_;
  std::optional<GlobalRace> global_race_;
  std::optional<SectorMap> sectors_;
  std::mutex mutex_;
  AccessCounts counts_;
};

}  // namespace mxproof::emulator
