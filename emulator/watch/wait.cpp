#include "emulator/watch/wait.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/isa/access_shape.hpp"
#include "emulator/watch/uninit_register.hpp"

namespace mxproof::emulator {
namespace {

uint64_t bit(int lane) {
  return uint64_t{1} << lane;
}

/// Which counter a load is waited for with.
const char* counter_of(MemoryUse memory, bool is_flat) {
  if (is_flat) return "vmcnt and lgkmcnt";
  return memory == MemoryUse::vector ? "vmcnt" : "lgkmcnt";
}

const char* counter_of(const Instruction& load, bool is_flat) {
  const bool is_vector = load.complete != nullptr;
  return counter_of(is_vector ? MemoryUse::vector : MemoryUse::lds, is_flat);
}

}  // namespace

void Waits::begin() {
  vector_.clear();
  lds_.clear();
  flat_.clear();
  scalar_.clear();
  to_lds_ = 0;
}

void Waits::add(std::deque<Load>& queue, const Load& load) {
  for (uint16_t i = 0; i < load.rows.count; ++i) {
    const auto row = static_cast<uint16_t>(load.rows.first + i);
    shadow_->set_pending(row, shadow_->pending(row) | load.lanes);
  }
  if (load.lds_step != 0) ++to_lds_;
  queue.push_back(load);
}

void Waits::issue_vector(const VectorAccess& access, const OperandUse& operands) {
  Load load;
  load.inst = access.inst;
  load.rows = operands.write;
  load.lanes = access.exec | access.zero;
  load.is_flat = access.flat;
  load.sequence = access.sequence;
  if (operands.loads_to_lds) {
    load.lds_begin = access.lds_base;
    load.lds_step = std::max(operands.bytes, 4U);
  }
  add(vector_, load);
}

void Waits::issue_lds(const LdsAccess& access, const OperandUse& operands) {
  Load load;
  load.inst = access.inst;
  load.rows = operands.write;
  load.lanes = access.exec;
  add(lds_, load);
}

void Waits::issue_scalar(const Instruction& inst, const OperandUse& operands) {
  scalar_.push_back({&inst, operands.scalar_writes});
  shadow_->set_pending_scalar(shadow_->pending_scalar() | operands.scalar_writes);
}

template <class Visit>
void Waits::for_each_load(Visit visit) const {
  for (const Load& load : vector_) visit(load);
  for (const Load& load : flat_) visit(load);
  for (const Load& load : lds_) visit(load);
}

/// Nothing in flight for these lanes any more, unless another load has them too.
void Waits::retire(const Load& load) {
  if (load.lds_step != 0) --to_lds_;
  for (uint16_t i = 0; i < load.rows.count; ++i) {
    const auto row = static_cast<uint16_t>(load.rows.first + i);
    uint64_t left = 0;
    for_each_load([&](const Load& other) {
      if (row >= other.rows.first && row < other.rows.first + other.rows.count) left |= other.lanes;
    });
    shadow_->set_pending(row, left);
  }
}

void Waits::complete(Wave& wave) {
  while (vector_.size() > wave.vector_memory.size()) {
    const Load load = vector_.front();
    vector_.pop_front();
    if (load.is_flat && load.sequence >= wave.lgkm_sequence) {
      flat_.push_back(load);
    } else {
      retire(load);
    }
  }
  while (lds_.size() > wave.lds.size()) {
    const Load load = lds_.front();
    lds_.pop_front();
    retire(load);
  }
  if (wave.flat_waiting.empty() && !flat_.empty()) {
    const std::vector<Load> done = std::exchange(flat_, {});
    for (const Load& load : done) retire(load);
  }
  if (wave.scalar_memory.empty() && !scalar_.empty()) {
    scalar_.clear();
    shadow_->set_pending_scalar({});
  }
}

const Waits::Load* Waits::find(uint16_t row, uint64_t lanes) const {
  const Load* found = nullptr;
  for_each_load([&](const Load& load) {
    const bool has_row = row >= load.rows.first && row < load.rows.first + load.rows.count;
    if (has_row && (load.lanes & lanes) != 0) found = &load;
  });
  return found;
}

const Waits::ScalarLoad* Waits::find_scalar(size_t reg) const {
  const auto found =
      std::ranges::find_if(scalar_, [reg](const ScalarLoad& load) { return load.registers.test(reg); });
  return found == scalar_.end() ? nullptr : &*found;
}

void Waits::check_registers(const Instruction& inst, const OperandUse& operands, uint64_t lanes,
                            uint32_t wave, const Reporter& reporter) const {
  const auto check = [&](const RegisterRange& range, bool is_read) {
    for (uint16_t i = 0; i < range.count; ++i) {
      const auto row = static_cast<uint16_t>(range.first + i);
      const uint64_t pending = shadow_->pending(row) & lanes;
      if (pending == 0) continue;
      const int lane = std::countr_zero(pending);
      const Load* load = find(row, bit(lane));
      if (load == nullptr) continue;
      // Loads that count on one counter arrive in order: the later one wins, as it should.
      const bool is_vector = operands.memory == MemoryUse::vector;
      if (!is_read && operands.memory != MemoryUse::none && !load->is_flat &&
          is_vector == (load->inst->complete != nullptr)) {
        continue;
      }
      reporter.report(Watcher::wait, inst, wave, lane, std::nullopt, [&] {
        const char* counter = counter_of(*load->inst, load->is_flat);
        return fmt::format("{} {} before {} has brought it: an s_waitcnt {} must come between",
                           is_read ? "uses" : "writes", vector_name(row), reporter.name_of(*load->inst),
                           counter);
      });
      return;
    }
  };
  for (size_t i = 0; i < operands.reads; ++i) check(operands.read[i], true);
  check(operands.write, false);
  check(operands.write2, false);
  const ScalarSet scalars = shadow_->pending_scalar() & operands.scalar_any;
  if (scalars.none()) return;
  for (size_t reg = 0; reg < scalars.size(); ++reg) {
    if (!scalars.test(reg)) continue;
    const ScalarLoad* load = find_scalar(reg);
    if (load == nullptr) continue;
    reporter.report(Watcher::wait, inst, wave, -1, std::nullopt, [&] {
      return fmt::format("{} {} before {} has brought it: an s_waitcnt lgkmcnt(0) must come between",
                         operands.scalar_reads.test(reg) ? "uses" : "writes", scalar_name(reg),
                         reporter.name_of(*load->inst));
    });
    return;
  }
}

void Waits::check_lds(const MemoryAccess& access, const Reporter& reporter) const {
  if (to_lds_ == 0) return;
  uint64_t low = ~uint64_t{0};
  uint64_t high = 0;
  for_each_lane(access.lanes, [&](int lane) {
    low = std::min(low, access.address[lane]);
    high = std::max(high, access.address[lane] + access.bytes);
  });
  for (const Load& load : vector_) {
    if (load.lds_step == 0 || low >= load.lds_begin + uint64_t{kLanes} * load.lds_step ||
        high <= load.lds_begin)
      continue;
    int clash = -1;
    for_each_lane(access.lanes, [&](int lane) {
      const uint64_t begin = access.address[lane];
      for (uint64_t at = begin; clash < 0 && at < begin + access.bytes; ++at) {
        if (at < load.lds_begin) continue;
        const uint64_t from = (at - load.lds_begin) / load.lds_step;
        if (from < kLanes && ((load.lanes >> from) & 1U) != 0) clash = lane;
      }
    });
    if (clash < 0) continue;
    reporter.report(Watcher::wait, *access.inst, access.wave, clash, access.address[clash], [&] {
      return fmt::format("{} LDS bytes before {} has brought them: an s_waitcnt vmcnt must come between",
                         access.writes ? "writes" : "reads", reporter.name_of(*load.inst));
    });
    return;
  }
}

void Waits::check_load_to_lds(const MemoryAccess& access, Wave& wave, const Reporter& reporter) const {
  for (uint32_t i = 0; i < wave.lds.size(); ++i) {
    const LdsAccess& other = wave.lds.at(i);
    const uint32_t bytes = shape_bytes(other.inst->extra);
    const auto offset = static_cast<uint32_t>(other.inst->offset);
    const uint64_t begin = access.address[0];
    const uint64_t end = begin + uint64_t{kLanes} * access.bytes;
    int clash = -1;
    for_each_lane(other.exec, [&](int lane) {
      const uint32_t at = other.address[lane] + offset;
      if (clash >= 0 || at >= end || at + bytes <= begin) return;
      for (uint64_t byte = std::max<uint64_t>(at, begin); byte < std::min<uint64_t>(at + bytes, end);
           ++byte) {
        const uint64_t to = (byte - begin) / access.bytes;
        if (((access.lanes >> to) & 1U) != 0) clash = static_cast<int>(to);
      }
    });
    if (clash < 0) continue;
    reporter.report(Watcher::wait, *access.inst, access.wave, clash, access.address[clash], [&] {
      return fmt::format(
          "loads to LDS bytes that {} may still access: an s_waitcnt lgkmcnt must come between",
          reporter.name_of(*other.inst));
    });
    return;
  }
}

}  // namespace mxproof::emulator
