// How a watcher reports: it knows an instruction, a wave, a lane and an address; the rest is filled in here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "emulator/watch/report.hpp"
#include "emulator/watch/watchers.hpp"

namespace mxproof::emulator {

class CodeObject;
class Program;

/// The launch and the work-group that a thread is at.
class Reporter {
 public:
  Reporter(ReportSink& sink, const Program& program, const CodeObject& code_object)
      : sink_(&sink), program_(&program), code_object_(&code_object) {}

  void set_group(uint64_t position, const std::array<uint32_t, 3>& group) {
    position_ = position;
    group_ = group;
  }

  /// Reports a case. `text` is a function that gives what happened and what would be right.
  template <class Text>
  void report(Watcher watcher, const Instruction& inst, uint32_t wave, int lane,
              std::optional<uint64_t> address, Text&& text) const {
    sink_->add(watcher, inst, {position_, group_, wave, lane, address}, text);
  }

  /// "'ds_read_b32 v0, v1' at pc 0x1234".
  std::string name_of(const Instruction& inst) const;

 private:
  ReportSink* sink_;
  const Program* program_;
  const CodeObject* code_object_;
  uint64_t position_ = 0;
  std::array<uint32_t, 3> group_{};
};

}  // namespace mxproof::emulator
