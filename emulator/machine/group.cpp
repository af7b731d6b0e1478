#include "emulator/machine/group.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "emulator/machine/program.hpp"
#include "emulator/machine/run.hpp"
#include "emulator/machine/wave.hpp"
#include "emulator/watch/group_watch.hpp"

namespace mxproof::emulator {
namespace {

/// What registers, LDS and scratch hold before anything is written: a signalling NaN, so that a kernel which
/// reads it is likely to show it, and the same on every run.
constexpr uint32_t kUninitialised = 0x7fa5a5a5;
/// Waves take turns after so many instructions.
constexpr int64_t kSlice = 1 << 16;
constexpr size_t kCacheLine = 64;

constexpr size_t whole_dwords(uint32_t bytes) {
  return (size_t{bytes} + 3) / 4 * 4;
}

void poison(void* memory, size_t bytes) {
  auto* words = static_cast<uint32_t*>(memory);
  std::fill_n(words, bytes / sizeof(uint32_t), kUninitialised);
}

}  // namespace

GroupRunner::GroupRunner() = default;
GroupRunner::~GroupRunner() = default;

void GroupRunner::begin(const LaunchState& launch) {
  launch_ = &launch;
  context_.program = launch.program;
  context_.memory = launch.memory.get();
  context_.own_memory = launch.own_memory;
  wave_count_ = (launch.lanes_per_group + kLanes - 1) / kLanes;
  while (waves_.size() < wave_count_) waves_.push_back(std::unique_ptr<Wave>(new Wave));
  const size_t lds_bytes = (launch.lds_bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  if (lds_capacity_ < lds_bytes) {
    lds_.reset(static_cast<std::byte*>(std::aligned_alloc(kCacheLine, lds_bytes)));
    lds_capacity_ = lds_bytes;
  }
  context_.lds = {lds_.get(), launch.lds_bytes};
  scratch_.resize(whole_dwords(launch.scratch_bytes) * kLanes * wave_count_);
  // Sized for all code that may ever be decoded; untouched pages cost nothing.
  executed_size_ = launch.program->capacity() + 1;
  executed_.reset(static_cast<int64_t*>(std::calloc(executed_size_, sizeof(int64_t))));
  if (launch.watch == nullptr) return;
  if (watch_ == nullptr) watch_ = std::make_unique<GroupWatch>();
  watch_->begin(*launch.watch);
}

void GroupRunner::end() {
  if (launch_->watch != nullptr) watch_->end();
}

std::span<const int64_t> GroupRunner::executed() const {
  return {executed_.get(), executed_size_};
}

bool GroupRunner::run(const GroupPlace& group, Fault& fault) {
  poison(context_.lds.data(), context_.lds.size());
  poison(scratch_.data(), scratch_.size());
  if (launch_->watch != nullptr)
    watch_->begin_group(group.position, group.id, group.index, context_, wave_count_);
  for (uint32_t i = 0; i < wave_count_; ++i) start_wave(*waves_[i], i, group.id);
  return run_waves(fault);
}

void GroupRunner::start_wave(Wave& w, uint32_t index, const std::array<uint32_t, 3>& group_id) {
  const KernelDescriptor& descriptor = launch_->kernel->descriptor;
  w.group = &context_;
  w.index_in_group = index;
  w.settings = launch_->config->settings;
  w.executed = executed_.get();
  w.state = WaveState::running;
  w.pc = launch_->entry;
  w.run_start = launch_->entry->index;
  ++w.executed[w.run_start];
  w.budget = static_cast<int64_t>(std::min<uint64_t>(launch_->config->instruction_budget, INT64_MAX));
  w.scc = false;
  w.mode = descriptor.float_mode() | (descriptor.dx10_clamp() ? kModeDx10Clamp : 0) |
           (descriptor.ieee_mode() ? kModeIeee : 0);
  w.plain_mode = (w.mode & 0xffU) == kModePlain;
  w.vector_memory.clear();
  w.lds.clear();
  w.scalar_memory.clear();
  w.flat_waiting.clear();
  w.flat_in_flight = 0;
  w.lgkm_sequence = 0;
  w.last_base = 1;
  w.last_end = 0;
  w.fault_at = nullptr;
  w.loop_left = 0;
  w.scratch_bytes = launch_->scratch_bytes;
  w.scratch = scratch_.data() + index * kLanes * whole_dwords(launch_->scratch_bytes);
  const RegisterLimits limits = register_limits(descriptor);
  poison(w.row(0), size_t{limits.vgprs} * kLanes * sizeof(uint32_t));
  poison(w.row(kFirstAgpr), size_t{limits.agprs} * kLanes * sizeof(uint32_t));
  const uint16_t scalars = set_up_scalars(w, group_id);
  set_up_lanes(w, index);
  if (launch_->watch == nullptr) return;
  ScalarSet set_up;
  for (size_t i = 0; i < scalars; ++i) set_up.set(i);
  watch_->begin_wave(w, set_up);
}

/// User SGPRs in the order of the kernel descriptor's bits, preloaded arguments, then the group's ids.
uint16_t GroupRunner::set_up_scalars(Wave& w, const std::array<uint32_t, 3>& group_id) {
  const KernelDescriptor& descriptor = launch_->kernel->descriptor;
  w.sgpr.fill(kUninitialised);
  uint16_t next = 0;
  const auto put = [&w, &next](uint32_t value) {
    if (next < kFlatScratch) w.sgpr[next++] = value;
  };
  const auto put64 = [&put](uint64_t value) {
    put(static_cast<uint32_t>(value));
    put(static_cast<uint32_t>(value >> 32));
  };
  if (descriptor.has_private_segment_buffer()) {
    put64(0);
    put64(0);
  }
  if (descriptor.has_dispatch_ptr()) put64(launch_->dispatch_address);
  if (descriptor.has_queue_ptr()) put64(0);
  if (descriptor.has_kernarg_segment_ptr()) put64(launch_->kernarg_address);
  if (descriptor.has_dispatch_id()) put64(0);
  if (descriptor.has_flat_scratch_init()) put64(0);
  if (descriptor.has_private_segment_size()) put(launch_->scratch_bytes);
  for (uint32_t i = 0; i < descriptor.preload_dwords(); ++i) {
    uint32_t value = 0;
    const uint64_t offset = uint64_t{descriptor.preload_offset_dwords() + i} * 4;
    if (offset + 4 <= launch_->config->kernarg.size()) {
      std::memcpy(&value, launch_->config->kernarg.data() + offset, sizeof value);
    }
    put(value);
  }
  next = static_cast<uint16_t>(std::max<uint32_t>(next, descriptor.user_sgprs()));
  if (descriptor.has_workgroup_id_x()) put(group_id[0]);
  if (descriptor.has_workgroup_id_y()) put(group_id[1]);
  if (descriptor.has_workgroup_id_z()) put(group_id[2]);
  if (descriptor.has_workgroup_info()) put(0);
  w.set_scalar64(kSharedBase, uint64_t{kSharedAperture} << 32);
  w.set_scalar64(kSharedLimit, (uint64_t{kSharedAperture} << 32) | 0xffffffffU);
  w.set_scalar64(kPrivateBase, uint64_t{kPrivateAperture} << 32);
  w.set_scalar64(kPrivateLimit, (uint64_t{kPrivateAperture} << 32) | 0xffffffffU);
  return next;
}

/// v0 = x | y << 10 | z << 20; lanes past the end of the group are off.
void GroupRunner::set_up_lanes(Wave& w, uint32_t index) {
  const auto& block = launch_->config->block;
  uint64_t exec = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t id = index * kLanes + lane;
    if (id >= launch_->lanes_per_group) break;
    exec |= uint64_t{1} << lane;
    const uint32_t x = id % block[0];
    const uint32_t y = id / block[0] % block[1];
    const uint32_t z = id / block[0] / block[1];
    w.row(0)[lane] = x | y << 10 | z << 20;
  }
  w.set_exec(exec);
}

void GroupRunner::run_one(Wave& w) {
  if (launch_->watch == nullptr) {
    run_wave(w);
  } else {
    run_wave(w, *watch_);
  }
}

bool GroupRunner::run_waves(Fault& fault) {
  for (;;) {
    uint32_t ended = 0;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < wave_count_; ++i) {
      Wave& w = *waves_[i];
      if (w.state == WaveState::running || w.state == WaveState::yielded) {
        w.state = WaveState::running;
        w.slice = std::min(kSlice, w.budget);
        run_one(w);
      }
      if (w.state == WaveState::faulted) {
        fault = {w.fault_at, w.fault_text, i, w.stop};
        return false;
      }
      ended += w.state == WaveState::ended ? 1 : 0;
      waiting += w.state == WaveState::barrier ? 1 : 0;
    }
    if (ended == wave_count_) return true;
    if (ended + waiting == wave_count_) {  // everyone who is still there has arrived
      if (launch_->watch != nullptr) watch_->pass_barrier(std::span(waves_).first(wave_count_));
      for (uint32_t i = 0; i < wave_count_; ++i) {
        if (waves_[i]->state == WaveState::barrier) waves_[i]->state = WaveState::running;
      }
    }
  }
}

}  // namespace mxproof::emulator
