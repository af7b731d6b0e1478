#include "emulator/machine/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "emulator/isa/host_address.hpp"
#include "emulator/isa/rows.hpp"
#include "emulator/machine/group.hpp"
#include "emulator/machine/program.hpp"
#include "emulator/machine/workers.hpp"
#include "emulator/watch/launch_watch.hpp"
#include "emulator/watch/matrix_counts.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint32_t kMaxLdsBytes = 160 * 1024;
constexpr uint32_t kMaxLanesPerGroup = 1024;
constexpr uint64_t kMaxGridLanes = uint64_t{1} << 32;

/// The segment that holds the entry, as bytes.
std::span<const std::byte> code_of(const CodeObject& code_object, uint64_t entry) {
  for (const Segment& segment : code_object.segments()) {
    if (segment.executable && entry >= segment.address && entry - segment.address < segment.size) {
      return {host(segment.address), segment.size};
    }
  }
  return {};
}

/// Decoded programs by entry address and host SIMD level. An address may come to hold other code later, so a
/// hit counts only while the bytes are the same.
Expected<std::shared_ptr<Program>> program_of(std::span<const std::byte> code, uint64_t entry,
                                              RegisterLimits limits) {
  static std::mutex mutex;
  static std::map<std::pair<uint64_t, const Row*>, std::shared_ptr<Program>> cache;
  constexpr size_t kMaxCached = 512;
  const auto key = std::pair(entry, vector_integer_rows().data());
  const std::scoped_lock lock(mutex);
  if (const auto found = cache.find(key); found != cache.end() && found->second->matches(code))
    return found->second;
  auto program = Program::decode(code, entry, limits);
  if (!program.ok()) return program.status();
  if (cache.size() >= kMaxCached) cache.clear();
  cache[key] = *program;
  return *program;
}

Status check(const Kernel& kernel, const LaunchConfig& config) {
  const auto refuse = [&kernel](const std::string& why) {
    return Status::bad_input(fmt::format("kernel {}: {}", kernel.name, why));
  };
  const auto& block = config.block;
  const auto& grid = config.grid;
  const uint64_t lanes = uint64_t{block[0]} * block[1] * block[2];
  if (lanes == 0 || lanes > kMaxLanesPerGroup || block[0] > kMaxLanesPerGroup ||
      block[1] > kMaxLanesPerGroup) {
    return refuse(fmt::format("a work-group of {} x {} x {} is not possible; it must have 1 to {} work-items",
                              block[0], block[1], block[2], kMaxLanesPerGroup));
  }
  if (kernel.max_workgroup_size != 0 && lanes > kernel.max_workgroup_size) {
    return refuse(fmt::format("a work-group of {} work-items; the kernel was compiled for at most {}", lanes,
                              kernel.max_workgroup_size));
  }
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
    return refuse(fmt::format("a grid of {} x {} x {} work-groups has none", grid[0], grid[1], grid[2]));
  }
  if (uint64_t{grid[0]} * block[0] >= kMaxGridLanes || uint64_t{grid[1]} * block[1] >= kMaxGridLanes ||
      uint64_t{grid[2]} * block[2] >= kMaxGridLanes) {
    return refuse("the grid has 2^32 or more work-items along one axis");
  }
  if (kernel.descriptor.is_wave32() || kernel.wavefront_size != kLanes)
    return refuse("wave size 32; gfx950 has 64");
  const uint64_t lds = uint64_t{kernel.descriptor.lds_bytes} + config.dynamic_lds;
  if (lds > kMaxLdsBytes) {
    return refuse(fmt::format("{} bytes of LDS ({} fixed, {} dynamic); there are {}", lds,
                              kernel.descriptor.lds_bytes, config.dynamic_lds, kMaxLdsBytes));
  }
  if (config.kernarg.size() < kernel.kernarg_bytes) {
    return refuse(fmt::format("{} bytes of arguments; the kernel takes {}", config.kernarg.size(),
                              kernel.kernarg_bytes));
  }
  return {};
}

/// The AQL dispatch packet, which kernels may read their sizes from. Layout: HSA system architecture, 2.8.
struct DispatchPacket {
  uint16_t header = 0;
  uint16_t setup = 3;  // dimensions
  uint16_t workgroup_size[3] = {};
  uint16_t reserved0 = 0;
  uint32_t grid_size[3] = {};
  uint32_t private_segment_size = 0;
  uint32_t group_segment_size = 0;
  uint64_t kernel_object = 0;
  uint64_t kernarg_address = 0;
  uint64_t reserved1 = 0;
  uint64_t completion_signal = 0;
};
static_assert(sizeof(DispatchPacket) == 64);

std::vector<uint64_t> group_order(const LaunchConfig& config, uint64_t groups) {
  if (config.order == GroupOrder::ascending) return {};
  std::vector<uint64_t> order(groups);
  std::iota(order.begin(), order.end(), uint64_t{0});
  if (config.order == GroupOrder::descending) {
    std::reverse(order.begin(), order.end());
  } else {
    std::shuffle(order.begin(), order.end(), std::mt19937_64(config.order_seed));
  }
  return order;
}

/// The first fault in launch order decides what is reported, whatever the threads did.
struct SharedFault {
  std::mutex mutex;
  std::atomic<bool> any = false;
  uint64_t position = ~uint64_t{0};
  std::array<uint32_t, 3> group{};
  Fault fault;
};

/// Scratch a lane.
uint32_t scratch_bytes(const Kernel& kernel, const LaunchConfig& config) {
  const uint32_t known = kernel.descriptor.private_bytes;
  const bool is_open = kernel.uses_dynamic_stack || kernel.descriptor.uses_dynamic_stack();
  return is_open ? std::max(known, config.stack_bytes) : known;
}

/// What a kernel may have wanted that followed a null pointer out of its hidden arguments; empty for another
/// fault.
std::string absent_services(const Kernel& kernel, const Fault& fault) {
  constexpr uint64_t kNearNull = 4096;
  if (fault.stop.kind != FaultKind::bounds || fault.stop.address.value_or(kNearNull) >= kNearNull) return "";
  const auto takes = [&kernel](ValueKind kind) {
    return std::ranges::find(kernel.args, kind, &KernelArg::value_kind) != kernel.args.end();
  };
  const bool prints = takes(ValueKind::hidden_printf_buffer) || takes(ValueKind::hidden_hostcall_buffer);
  const bool allocates = takes(ValueKind::hidden_heap_v1);
  if (!prints && !allocates) return "";
  const char* services = prints && allocates ? "printf or malloc" : prints ? "printf" : "malloc";
  return fmt::format("; a null pointer, or device {}, which is not supported", services);
}

Status fault_status(const CodeObject& code_object, const Kernel& kernel, const Program& program,
                    const SharedFault& shared) {
  const Fault& fault = shared.fault;
  const std::string offset = offset_text(static_cast<int64_t>(fault.inst->pc - kernel.entry));
  return Status::device(fmt::format("kernel {} at pc 0x{:x} ({}) '{}': {} [work-group {},{},{} wave {}]",
                                    kernel.name, code_object.to_vaddr(fault.inst->pc), offset,
                                    program.text_of(*fault.inst), fault.text, shared.group[0],
                                    shared.group[1], shared.group[2], fault.wave));
}

LaunchReport make_report(const Program& program, std::span<const int64_t> executed) {
  LaunchReport report;
  std::map<std::string_view, MnemonicCount> by_mnemonic;
  std::map<std::string, MatrixCount> by_matrix;
  int64_t running = 0;
  program.for_each([&](const Instruction& inst) {
    running += executed[inst.index];
    if (inst.row == nullptr || running == 0) return;
    const auto count = static_cast<uint64_t>(running);
    report.wave_instructions += count;
    report.by_class[static_cast<size_t>(inst.row->instruction_class)] += count;
    const std::string_view name = inst.row->name.substr(0, inst.row->name.find(' '));
    MnemonicCount& entry = by_mnemonic[name];
    entry.mnemonic = name;
    entry.instruction_class = inst.row->instruction_class;
    entry.executed += count;
    if (inst.row->instruction_class != InstructionClass::matrix) return;
    const MatrixKind kind = matrix_kind(inst);
    MatrixCount& matrix = by_matrix[kind.name];
    matrix.kind = kind.name;
    matrix.executed += count;
    matrix.flop += kind.flop * count;
    report.matrix_cycles += kind.cycles * static_cast<double>(count);
  });
  for (auto& [name, entry] : by_matrix) report.by_matrix.push_back(std::move(entry));
  for (auto& [name, entry] : by_mnemonic) report.by_mnemonic.push_back(std::move(entry));
  std::sort(report.by_mnemonic.begin(), report.by_mnemonic.end(),
            [](const MnemonicCount& a, const MnemonicCount& b) {
              return a.executed != b.executed ? a.executed > b.executed : a.mnemonic < b.mnemonic;
            });
  return report;
}

}  // namespace

const char* instruction_class_name(InstructionClass instruction_class) {
  constexpr std::array<const char*, kInstructionClasses> kNames = {
      "scalar_alu", "scalar_memory", "vector_alu", "matrix",  "lds",  "global_memory",
      "scratch",    "branch",        "wait",       "barrier", "other"};
  return kNames[static_cast<size_t>(instruction_class)];
}

Expected<LaunchReport> launch(const CodeObject& code_object, const Kernel& kernel, const LaunchConfig& config,
                              const GlobalMemory& memory) {
  if (Status s = check(kernel, config); !s.ok()) return s;
  const std::span<const std::byte> code = code_of(code_object, kernel.entry);
  // With kernarg preload the first 256 bytes are for firmware that does not know of it.
  const uint64_t entry = kernel.entry + (kernel.descriptor.preload_dwords() != 0 ? 256 : 0);
  auto decoded = program_of(code, entry, register_limits(kernel.descriptor));
  if (!decoded.ok())
    return Status(decoded.status().code(),
                  fmt::format("kernel {}: {}", kernel.name, decoded.status().message()));
  Program& program = **decoded;

  // Both are read by scalar loads; the kernarg segment is aligned as the HSA runtime aligns it. Compilers
  // round loads of arguments up, past the last one, and rely on there being a cache line more.
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes;
  };
  std::vector<Line> kernarg((config.kernarg.size() + sizeof(Line) - 1) / sizeof(Line) + 1);
  if (!config.kernarg.empty()) std::memcpy(kernarg.data(), config.kernarg.data(), config.kernarg.size());
  DispatchPacket packet;
  for (int i = 0; i < 3; ++i) {
    packet.workgroup_size[i] = static_cast<uint16_t>(config.block[i]);
    packet.grid_size[i] = config.grid[i] * config.block[i];
  }
  packet.private_segment_size = scratch_bytes(kernel, config);
  packet.group_segment_size = kernel.descriptor.lds_bytes + config.dynamic_lds;
  packet.kernel_object = kernel.descriptor_address;
  packet.kernarg_address = device(kernarg.data());

  LaunchState state;
  state.kernel = &kernel;
  state.config = &config;
  state.program = &program;
  state.entry = program.entry();
  state.memory = memory.snapshot();
  const auto image = code_object.image();
  state.own_memory = {
      {device(image.data()), image.size(), "code object"},
      {packet.kernarg_address, kernarg.size() * sizeof(Line), "kernel arguments"},
      {device(&packet), sizeof packet, "dispatch packet"},
  };
  state.kernarg_address = packet.kernarg_address;
  state.dispatch_address = device(&packet);
  state.lds_bytes = packet.group_segment_size;
  state.scratch_bytes = packet.private_segment_size;
  state.lanes_per_group = config.block[0] * config.block[1] * config.block[2];
  std::optional<LaunchWatch> watch;
  if (!config.watch.empty()) {
    watch.emplace(config.watch, program, code_object, kernel, state.memory);
    state.watch = &*watch;
  }

  const uint64_t groups = uint64_t{config.grid[0]} * config.grid[1] * config.grid[2];
  const std::vector<uint64_t> order = group_order(config, groups);
  unsigned threads = config.threads != 0 ? config.threads : std::max(1U, std::thread::hardware_concurrency());
  // Atomics make the order of work-groups visible (which group got which ticket): one thread keeps it fixed.
  if (program.has_global_atomics()) threads = 1;
  threads = static_cast<unsigned>(std::min<uint64_t>(threads, groups));

  std::atomic<uint64_t> next = 0;
  SharedFault shared;
  std::mutex merge;
  std::vector<int64_t> executed;
  const auto work = [&](unsigned) {
    thread_local GroupRunner runner;
    runner.begin(state);
    for (;;) {
      const uint64_t position = next.fetch_add(1, std::memory_order_relaxed);
      if (position >= groups || shared.any.load(std::memory_order_relaxed)) break;
      const uint64_t id = order.empty() ? position : order[position];
      const GroupPlace group = {position,
                                id,
                                {static_cast<uint32_t>(id % config.grid[0]),
                                 static_cast<uint32_t>(id / config.grid[0] % config.grid[1]),
                                 static_cast<uint32_t>(id / config.grid[0] / config.grid[1])}};
      Fault fault;
      if (runner.run(group, fault)) continue;
      if (fault.stop.kind == FaultKind::loop) {
        fault.text +=
            fmt::format("; it stays in pc 0x{:x} to 0x{:x}", code_object.to_vaddr(fault.stop.loop_begin),
                        code_object.to_vaddr(fault.stop.loop_end));
      }
      fault.text += absent_services(kernel, fault);
      if (watch) watch->report_stop(fault, position, group.id);
      const std::scoped_lock lock(shared.mutex);
      shared.any = true;
      if (position < shared.position) {
        shared.position = position;
        shared.group = group.id;
        shared.fault = std::move(fault);
      }
    }
    runner.end();
    const std::scoped_lock lock(merge);
    const auto counts = runner.executed();
    const uint32_t size = program.size() + 1;
    if (executed.size() < size) executed.resize(size);
    for (uint32_t i = 0; i < size; ++i) executed[i] += counts[i];
  };
  Workers::shared().run(threads, work);
  if (watch && config.reports != nullptr) *config.reports = watch->reports();
  if (shared.any) return fault_status(code_object, kernel, program, shared);

  LaunchReport report = make_report(program, executed);
  report.groups = groups;
  report.waves = groups * ((state.lanes_per_group + kLanes - 1) / kLanes);
  if (watch && config.watch.counts) {
    report.accesses = watch->counts();
    const uint64_t vector_instructions = report.by_class[static_cast<size_t>(InstructionClass::vector_alu)];
    report.modelled = roofline(groups, report.matrix_cycles, vector_instructions, report.accesses);
  }
  return report;
}

}  // namespace mxproof::emulator
