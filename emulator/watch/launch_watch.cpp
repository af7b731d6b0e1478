#include "emulator/watch/launch_watch.hpp"

#include "emulator/loader/code_object.hpp"
#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"

namespace mxproof::emulator {
namespace {

std::optional<Watcher> watcher_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::bounds:
      return Watcher::bounds;
    case FaultKind::lds_bounds:
      return Watcher::lds_bounds;
    case FaultKind::loop:
      return Watcher::loop;
    case FaultKind::other:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

LaunchWatch::LaunchWatch(const WatchRequest& request, const Program& program, const CodeObject& code_object,
                         const Kernel& kernel, std::shared_ptr<const AllocationTable> table)
    : request_(request),
      program_(&program),
      code_object_(&code_object),
      kernel_(&kernel),
      table_(std::move(table)) {
  if (has(Watcher::global_race)) global_race_.emplace(table_);
  if (request_.counts) sectors_.emplace(table_);
}

void LaunchWatch::merge(const AccessCounts& counts) {
  const std::scoped_lock lock(mutex_);
  add(counts, counts_);
}

void LaunchWatch::report_stop(const Fault& fault, uint64_t position, const std::array<uint32_t, 3>& group) {
  const auto watcher = watcher_of(fault.stop.kind);
  if (!watcher || !has(*watcher)) return;
  Reporter reporter(sink_, *program_, *code_object_);
  reporter.set_group(position, group);
  reporter.report(*watcher, *fault.inst, fault.wave, fault.stop.lane, fault.stop.address,
                  [&] { return fault.text; });
}

AccessCounts LaunchWatch::counts() const {
  AccessCounts counts = counts_;
  if (sectors_) {
    counts.global.distinct_load_sectors = sectors_->distinct(false);
    counts.global.distinct_store_sectors = sectors_->distinct(true);
  }
  return counts;
}

std::vector<WatchReport> LaunchWatch::reports() const {
  std::vector<WatchReport> reports;
  for (const auto& [watcher, finding] : sink_.findings()) {
    WatchReport report;
    report.watcher = watcher;
    report.kernel = kernel_->name;
    report.pc = code_object_->to_vaddr(finding.inst->pc);
    report.offset = static_cast<int64_t>(finding.inst->pc - kernel_->entry);
    report.instruction = program_->text_of(*finding.inst);
    report.place = finding.place;
    report.text = finding.text;
    report.count = finding.count;
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace mxproof::emulator
