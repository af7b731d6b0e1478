#include "emulator/watch/group_watch.hpp"

#include <algorithm>

#include "emulator/isa/access_shape.hpp"
#include "emulator/isa/host_address.hpp"
#include "emulator/isa/scalar_address.hpp"
#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"
#include "emulator/watch/alignment.hpp"
#include "emulator/watch/barrier.hpp"
#include "emulator/watch/descriptor.hpp"
#include "emulator/watch/uninit_global.hpp"
#include "emulator/watch/uninit_register.hpp"

namespace mxproof::emulator {
namespace {

constexpr int kData = 1;
constexpr int kLdsData2 = 2;

UndefinedLanes only(const UndefinedLanes& undefined, uint64_t lanes) {
  UndefinedLanes result = undefined;
  for (uint64_t& row : result) row &= lanes;
  return result;
}

/// Every lane of a group of 16 gets something from each of them.
void spread_over_groups(UndefinedLanes& undefined) {
  uint64_t any = 0;
  for (const uint64_t byte : undefined) any |= byte;
  uint64_t groups = 0;
  for (int first = 0; first < kLanes; first += 16) {
    if ((any >> first & 0xffffU) != 0) groups |= uint64_t{0xffff} << first;
  }
  undefined.fill(groups);
}

size_t scratch_bytes(const Wave& wave) {
  return size_t{kLanes} * ((wave.scratch_bytes + 3) / 4 * 4);
}

}  // namespace

void GroupWatch::begin(LaunchWatch& launch) {
  launch_ = &launch;
  watchers_ = launch.request().watchers;
  reporter_ = std::make_unique<Reporter>(launch.reporter());
  watches_undefined_ = watchers_.has(Watcher::uninit_register) || watchers_.has(Watcher::uninit_lds) ||
                       watchers_.has(Watcher::uninit_global);
  watches_registers_ = watches_undefined_ || watchers_.has(Watcher::wait);
  watches_alignment_ = watchers_.has(Watcher::alignment) || watchers_.has(Watcher::strict_alignment);
  watches_memory_ = watches_registers_ || watchers_.has(Watcher::lds_race) ||
                    watchers_.has(Watcher::global_race) || watches_alignment_ ||
                    watchers_.has(Watcher::descriptor) || launch.request().counts;
  operands_.clear();
  counter_.begin(launch.sectors());
}

void GroupWatch::end() {
  launch_->merge(counter_.counts());
  launch_ = nullptr;
}

void GroupWatch::begin_group(uint64_t position, const std::array<uint32_t, 3>& group, uint64_t index,
                             const GroupContext& context, uint32_t waves) {
  reporter_->set_group(position, group);
  group_ = &context;
  group_order_ = GlobalRace::group(index);
  while (waves_.size() < waves) waves_.push_back(std::make_unique<WaveWatch>());
  if (watchers_.has(Watcher::lds_race)) lds_race_.begin_group(context.lds.size(), waves);
  if (watches_undefined_) lds_written_.begin(context.lds.size());
}

void GroupWatch::begin_wave(const Wave& wave, const ScalarSet& set_up) {
  if (!watches_registers_) return;
  WaveWatch& w = *waves_[wave.index_in_group];
  w.registers.begin(watchers_.has(Watcher::uninit_register), wave.exec(), set_up);
  w.waits.begin();
  if (watches_undefined_) w.scratch.begin(scratch_bytes(wave));
}

const OperandUse& GroupWatch::operands(const Instruction& inst) {
  if (inst.index >= operands_.size()) operands_.resize(launch_->program().size());
  OperandUse& cached = operands_[inst.index];
  if (!cached.is_known) {
    const bool may_be_coherent =
        inst.row != nullptr && inst.row->instruction_class == InstructionClass::global_memory;
    cached = operands_of(
        inst, may_be_coherent && launch_->program().text_of(inst).find(" sc1") != std::string::npos);
  }
  return cached;
}

void GroupWatch::before_shifted(const Instruction& inst, const Wave& wave) {
  if (!watches_registers_) return;
  const OperandUse shifted = operands_of(inst, false);
  check(inst, shifted, shifted.ignores_exec ? kAllLanes : wave.exec(), wave);
}

void GroupWatch::before(const Instruction& inst, const Wave& wave) {
  if (!watches_registers_) return;
  const OperandUse& o = operands(inst);
  const RegisterShadow& registers = waves_[wave.index_in_group]->registers;
  const uint64_t lanes = o.ignores_exec ? kAllLanes : wave.exec();
  uint64_t bad = registers.bad(o.write) | registers.bad(o.write2);
  for (size_t i = 0; i < o.reads; ++i) bad |= registers.bad(o.read[i]);
  if ((bad & lanes) != 0 || (registers.bad_scalar() & o.scalar_any).any()) check(inst, o, lanes, wave);
}

void GroupWatch::check(const Instruction& inst, const OperandUse& o, uint64_t lanes, const Wave& wave) {
  WaveWatch& w = *waves_[wave.index_in_group];
  if (o.flow == Flow::to_lane || o.flow == Flow::from_lane) lanes = uint64_t{1} << chosen_lane(inst, wave);
  if (watchers_.has(Watcher::wait)) w.waits.check_registers(inst, o, lanes, wave.index_in_group, *reporter_);
  if (watches_undefined_) check_undefined(inst, o, lanes, wave, watchers_, w.registers, *reporter_);
}

void GroupWatch::after(const Instruction& inst, Wave& wave) {
  if (!watches_memory_ || wave.state == WaveState::faulted) return;
  const OperandUse& o = operands(inst);
  if (!o.can_complete) return;
  switch (o.memory) {
    case MemoryUse::vector:
      after_vector(inst, o, wave);
      break;
    case MemoryUse::lds:
      after_lds(inst, o, wave);
      break;
    case MemoryUse::scalar:
      after_scalar(inst, o, wave);
      break;
    case MemoryUse::none:
      break;
  }
  if (watches_registers_) waves_[wave.index_in_group]->waits.complete(wave);
}

UndefinedLanes GroupWatch::undefined_data(const Instruction& inst, int slot, const Wave& wave) const {
  UndefinedLanes result{};
  if (!watches_undefined_ || inst.src[slot].kind != SourceKind::vector) return result;
  const RegisterShadow& registers = waves_[wave.index_in_group]->registers;
  const uint32_t bytes = shape_bytes(inst.extra);
  const uint32_t first = (inst.extra & kShapeHigh) != 0 ? 2 : 0;
  for (uint32_t i = 0; i < bytes && i < result.size(); ++i) {
    const auto row = static_cast<uint16_t>(inst.src[slot].reg + (first + i) / 4);
    result[i] = registers.undefined_bytes(row)[(first + i) % 4];
  }
  return result;
}

/// What a load brings to registers from `first_row` on.
void GroupWatch::set_loaded(const MemoryAccess& access, Wave& wave, uint16_t first_row,
                            const UndefinedLanes& undefined, Watcher watcher) {
  if (!watches_undefined_) return;
  RegisterShadow& registers = waves_[wave.index_in_group]->registers;
  const uint32_t shape = access.inst->extra;
  for (int i = 0; i < shape_rows(shape); ++i) {
    const auto row = static_cast<uint16_t>(first_row + i);
    ByteLanes bytes;
    std::copy_n(&undefined[4 * i], 4, bytes.begin());
    if (shape_bytes(shape) < 4) {
      // Narrow values are extended, or go to one half.
      const uint64_t any = undefined[0] | undefined[1];
      bytes.fill(any);
      if ((shape & kShapeHalf) != 0) {
        const size_t kept = (shape & kShapeHigh) != 0 ? 0 : 2;
        for (size_t k = kept; k < kept + 2; ++k) bytes[k] = registers.undefined_bytes(row)[k];
      }
    }
    const uint64_t lanes = (bytes[0] | bytes[1] | bytes[2] | bytes[3]) & access.lanes;
    Origin origin;
    if (lanes != 0) {
      const int lane = std::countr_zero(lanes);
      origin = {access.inst, 0, lanes, access.address[lane], lane, watcher};
    }
    registers.assign(row, access.lanes, bytes, origin);
  }
}

void GroupWatch::global(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined) {
  if (access.lanes == 0) return;
  if (watches_alignment_) check_alignment(access, "global", watchers_, *reporter_);
  if (access.reads && watchers_.has(Watcher::uninit_global))
    undefined = undefined_global(access, launch_->table());
  if (access.writes && watchers_.has(Watcher::uninit_global)) note_written_global(access, launch_->table());
  if (GlobalRace* race = launch_->global_race(); race != nullptr)
    race->access(access, group_order_, *reporter_);
  if (launch_->request().counts) counter_.global(access);
  (void)wave;
}

void GroupWatch::scratch(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined) {
  if (access.lanes == 0) return;
  if (watches_alignment_) check_alignment(access, "scratch", watchers_, *reporter_);
  if (!watches_undefined_) return;
  ByteShadow& shadow = waves_[wave.index_in_group]->scratch;
  if (access.reads && watchers_.has(Watcher::uninit_register)) undefined = shadow.undefined(access);
  if (access.writes) shadow.write(access, undefined_data(*access.inst, kData, wave));
}

void GroupWatch::lds(const MemoryAccess& access, Wave& wave, UndefinedLanes& undefined) {
  if (access.lanes == 0) return;
  if (watches_alignment_) check_alignment(access, "LDS", watchers_, *reporter_);
  if (watchers_.has(Watcher::wait)) waves_[wave.index_in_group]->waits.check_lds(access, *reporter_);
  if (watchers_.has(Watcher::lds_race)) lds_race_.access(access, false, *reporter_);
  if (launch_->request().counts) counter_.lds(access);
  if (!watches_undefined_) return;
  const UndefinedLanes written = undefined;  // a store's data
  if (access.reads && watchers_.has(Watcher::uninit_lds)) undefined = lds_written_.undefined(access);
  if (access.writes) lds_written_.write(access, written);
}

void GroupWatch::load_to_lds(const VectorAccess& access, const OperandUse& o, Wave& wave,
                             const UndefinedLanes& undefined) {
  MemoryAccess to;
  to.inst = access.inst;
  to.operands = &o;
  to.wave = wave.index_in_group;
  to.bytes = std::max(o.bytes, 4U);
  to.lanes = access.exec | access.zero;
  to.address = lds_address_.data();
  to.writes = true;
  to.consecutive = to.lanes == kAllLanes;
  for (int lane = 0; lane < kLanes; ++lane) lds_address_[lane] = access.lds_base + uint64_t{to.bytes} * lane;
  if (watchers_.has(Watcher::wait))
    waves_[wave.index_in_group]->waits.check_load_to_lds(to, wave, *reporter_);
  UndefinedLanes data = only(undefined, access.exec);
  lds(to, wave, data);
}

void GroupWatch::after_vector(const Instruction& inst, const OperandUse& o, Wave& wave) {
  VectorAccess& access = wave.vector_memory.at(wave.vector_memory.size() - 1);
  if (watchers_.has(Watcher::descriptor) && o.is_buffer) check_descriptor(access, o.bytes, wave, *reporter_);
  MemoryAccess event;
  event.inst = &inst;
  event.operands = &o;
  event.wave = wave.index_in_group;
  event.bytes = o.bytes;
  event.lanes = access.exec;
  event.address = access.address.data();
  event.reads = !o.is_store;
  event.writes = o.is_store || o.is_atomic;
  event.consecutive = access.consecutive;

  UndefinedLanes undefined{};
  Watcher watcher = Watcher::uninit_global;
  const uint64_t scratch_base = device(wave.scratch);
  const bool is_scratch = inst.row->instruction_class == InstructionClass::scratch;
  alignas(64) std::array<uint64_t, kLanes> offset;
  if (is_scratch || access.flat) {
    // Flat addresses have been resolved: LDS, scratch and global memory can be told by where they lie.
    const uint64_t lds_base = device(group_->lds.data());
    uint64_t in_lds = 0;
    uint64_t in_scratch = 0;
    offset = access.address;
    for_each_lane(access.exec, [&](int lane) {
      const uint64_t address = access.address[lane];
      if (address - scratch_base < scratch_bytes(wave)) {
        in_scratch |= uint64_t{1} << lane;
        offset[lane] = address - scratch_base;
      } else if (address - lds_base < group_->lds.size()) {
        in_lds |= uint64_t{1} << lane;
        offset[lane] = address - lds_base;
      }
    });
    MemoryAccess part = event;
    part.address = offset.data();
    part.consecutive = false;
    UndefinedLanes found{};
    part.lanes = in_scratch;
    scratch(part, wave, found);
    if (in_scratch != 0) watcher = Watcher::uninit_register;
    undefined = only(found, in_scratch);
    part.lanes = in_lds;
    found = o.is_store ? undefined_data(inst, kData, wave) : UndefinedLanes{};
    lds(part, wave, found);
    for (size_t i = 0; i < undefined.size() && event.reads; ++i) undefined[i] |= found[i] & in_lds;
    if (in_lds != 0) watcher = Watcher::uninit_lds;
    event.lanes &= ~(in_lds | in_scratch);
    if (watches_undefined_ && o.is_flat_store && event.lanes != 0) {
      check_stored(inst, o, event.lanes, wave, watchers_, waves_[wave.index_in_group]->registers, *reporter_);
    }
    event.consecutive = event.consecutive && event.lanes == kAllLanes;
  }
  UndefinedLanes of_global{};
  if (!is_scratch) global(event, wave, of_global);
  for (size_t i = 0; i < undefined.size(); ++i) undefined[i] |= of_global[i] & event.lanes;
  if (o.loads_to_lds) {
    load_to_lds(access, o, wave, undefined);
  } else if (event.reads && inst.dst != kNone) {
    event.lanes = access.exec | access.zero;
    if (is_scratch || (access.flat && watcher != Watcher::uninit_global)) event.address = offset.data();
    set_loaded(event, wave, inst.dst, only(undefined, access.exec), watcher);
  }
  if (watchers_.has(Watcher::wait)) waves_[wave.index_in_group]->waits.issue_vector(access, o);
}

void GroupWatch::after_lds(const Instruction& inst, const OperandUse& o, Wave& wave) {
  const LdsAccess& access = wave.lds.at(wave.lds.size() - 1);
  if (watchers_.has(Watcher::wait)) waves_[wave.index_in_group]->waits.issue_lds(access, o);
  MemoryAccess event;
  event.inst = &inst;
  event.operands = &o;
  event.wave = wave.index_in_group;
  event.bytes = o.bytes;
  event.lanes = access.exec;
  event.address = lds_address_.data();
  if (o.touches_no_memory) {
    if (inst.dst != kNone) set_loaded(event, wave, inst.dst, {}, Watcher::uninit_lds);
    return;
  }
  event.reads = !o.is_store;
  event.writes = o.is_store || o.is_atomic;
  event.consecutive = access.consecutive;
  if (o.is_counter) {
    event.lanes = access.exec & -access.exec;
    event.consecutive = false;
  }
  for (int part = 0; part < (o.has_two_addresses ? 2 : 1); ++part) {
    const auto offset = static_cast<uint32_t>(part == 0 ? inst.offset : inst.offset2);
    for (int lane = 0; lane < kLanes; ++lane) {
      lds_address_[lane] =
          o.is_counter ? access.address[0] : static_cast<uint32_t>(access.address[lane] + offset);
    }
    UndefinedLanes undefined{};
    if (o.is_store) undefined = undefined_data(inst, part == 0 ? kData : kLdsData2, wave);
    lds(event, wave, undefined);
    if (!event.reads || inst.dst == kNone) continue;
    if (o.is_transposing) spread_over_groups(undefined);
    event.lanes = access.exec;
    set_loaded(event, wave, static_cast<uint16_t>(inst.dst + part * shape_rows(inst.extra)), undefined,
               Watcher::uninit_lds);
  }
}

void GroupWatch::after_scalar(const Instruction& inst, const OperandUse& o, Wave& wave) {
  if (wave.scalar_memory.empty()) return;
  const ScalarAccess& access = wave.scalar_memory.back();
  if (watchers_.has(Watcher::wait)) waves_[wave.index_in_group]->waits.issue_scalar(inst, o);
  if (access.words == 0) return;  // a clock
  if (watchers_.has(Watcher::alignment) && !inst.row->name.starts_with("s_buffer")) {
    // The machine has dropped the low bits; the registers are as they were.
    const uint64_t address = wave.scalar64(inst.src[kScalarBase].reg) + scalar_offset(inst, wave);
    check_scalar_alignment(inst, address, wave.index_in_group, *reporter_);
  }
  if (watchers_.has(Watcher::uninit_global)) {
    const uint32_t undefined = undefined_dwords(access.address, access.valid_bytes, launch_->table());
    for (uint32_t i = 0; undefined >> i != 0; ++i) {
      if ((undefined >> i & 1U) == 0) continue;
      ScalarSet one;
      one.set(access.dst + i);
      waves_[wave.index_in_group]->registers.set_undefined_scalar(
          one, {&inst, 0, kAllLanes, access.address + 4 * i, -1, Watcher::uninit_global});
    }
  }
  if (GlobalRace* race = launch_->global_race(); race != nullptr && access.valid_bytes != 0) {
    MemoryAccess event;
    event.inst = &inst;
    event.operands = &o;
    event.wave = wave.index_in_group;
    event.bytes = static_cast<uint32_t>(access.valid_bytes);
    event.lanes = 1;
    event.address = &access.address;
    event.reads = true;
    event.is_scalar = true;
    race->access(event, group_order_, *reporter_);
  }
  if (launch_->request().counts) counter_.scalar_load(access.valid_bytes);
}

/// What a wave has in flight goes on beyond the barrier.
void GroupWatch::repeat_in_flight(Wave& wave) {
  MemoryAccess event;
  event.wave = wave.index_in_group;
  event.address = lds_address_.data();
  for (uint32_t i = 0; i < wave.lds.size(); ++i) {
    const LdsAccess& access = wave.lds.at(i);
    const OperandUse& o = operands(*access.inst);
    if (o.touches_no_memory || o.is_counter) continue;
    event.inst = access.inst;
    event.operands = &o;
    event.bytes = o.bytes;
    event.lanes = access.exec;
    event.reads = !o.is_store;
    event.writes = o.is_store || o.is_atomic;
    for (int part = 0; part < (o.has_two_addresses ? 2 : 1); ++part) {
      const auto offset = static_cast<uint32_t>(part == 0 ? access.inst->offset : access.inst->offset2);
      for (int lane = 0; lane < kLanes; ++lane)
        lds_address_[lane] = static_cast<uint32_t>(access.address[lane] + offset);
      lds_race_.access(event, true, *reporter_);
    }
  }
  for (uint32_t i = 0; i < wave.vector_memory.size(); ++i) {
    const VectorAccess& access = wave.vector_memory.at(i);
    const OperandUse& o = operands(*access.inst);
    if (!o.loads_to_lds) continue;
    event.inst = access.inst;
    event.operands = &o;
    event.bytes = std::max(o.bytes, 4U);
    event.lanes = access.exec | access.zero;
    event.reads = false;
    event.writes = true;
    for (int lane = 0; lane < kLanes; ++lane)
      lds_address_[lane] = access.lds_base + uint64_t{event.bytes} * lane;
    lds_race_.access(event, true, *reporter_);
  }
}

void GroupWatch::pass_barrier(std::span<const std::unique_ptr<Wave>> waves) {
  check_barrier(waves, watchers_, *reporter_);
  if (!watchers_.has(Watcher::lds_race)) return;
  lds_race_.pass_barrier();
  for (const auto& wave : waves) {
    if (wave->state == WaveState::barrier) repeat_in_flight(*wave);
  }
}

}  // namespace mxproof::emulator
