#include "tools/run/run.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "common/array/file.hpp"
#include "emulator/loader/code_object.hpp"
#include "emulator/loader/fat_binary.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "emulator/runtime/launcher.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/device/check.hpp"
#include "tools/device.hpp"
#include "tools/emulate/emulator_flags.hpp"
#include "tools/inspect/file_report.hpp"
#include "tools/run/argument.hpp"
#include "tools/settings.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Values of --arg: in:FILE, inout:FILE[,FILE], out:TYPE:SHAPE:FILE, null, a number (its size is the "
    "argument's),\n"
    "TYPE:NUMBER (i8 to i64, u8 to u64, f16, bf16, f32, f64), hex:BYTES. In front of any of them N= or NAME= "
    "picks the\n"
    "argument; without it they go in order. `mxproof inspect` lists the arguments. Arrays are .npy or\n"
    ".safetensors[:NAME], of a TYPE out of {}.\n\n"
    "Exit code: 0 done, 1 the kernel failed, 2 a flag or file is wrong.\n\n"
    "Example:\n"
    "  mxproof run scale.co --kernel scale --grid 16 --block 64 --arg out:f32:1024:y.npy --arg in:x.npy \\\n"
    "    --arg 0.5 --arg 1024";

struct RunFlags {
  std::string file;
  std::string kernel;
  std::string grid = "1";
  std::string block = "64";
  unsigned lds = 0;
  std::vector<std::string> args;
  EmulatorFlags emulator;
  std::string device;
  std::string settings;
};

// "X", "X,Y" or "X,Y,Z"
Expected<dim3> parse_sizes(std::string_view flag, std::string_view text) {
  std::array<uint32_t, 3> sizes = {1, 1, 1};
  std::string_view left = text;
  for (size_t axis = 0; axis < 3; ++axis) {
    const size_t comma = std::min(left.find(','), left.size());
    const std::string_view size = left.substr(0, comma);
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), sizes[axis]);
    if (error != std::errc() || end != size.data() + size.size() || sizes[axis] == 0) break;
    if (comma == left.size()) return dim3(sizes[0], sizes[1], sizes[2]);
    left.remove_prefix(comma + 1);
  }
  return Status::bad_input(fmt::format("{} {}: must be X, X,Y or X,Y,Z, each at least 1", flag, text));
}

// The code object that holds the kernel, and the kernel.
struct Target {
  std::vector<std::byte> file;
  std::vector<emulator::FatBinary> container;  // one; keeps decompressed bytes alive
  std::span<const std::byte> bytes;
  std::vector<emulator::CodeObject> code_object;  // one
  const emulator::Kernel* kernel = nullptr;
};

// By its mangled name, or by the part of its demangled one before the parameters.
bool is_named(const emulator::Kernel& kernel, const std::string& name) {
  if (kernel.name == name) return true;
  const std::string readable = demangled(kernel.name);
  return readable == name || readable.substr(0, readable.find('(')) == name;
}

Expected<Target> find_target(const RunFlags& flags) {
  // A file for another processor is the wrong file, as for `inspect`.
  const auto in_file = [&](const Status& why) {
    return Status::bad_input(fmt::format("{}: {}", flags.file, why.message()));
  };
  Target target;
  auto file = emulator::read_file_bytes(flags.file);
  if (!file) return file.status();
  target.file = *std::move(file);
  auto binary = emulator::FatBinary::parse(target.file);
  if (!binary) return in_file(binary.status());
  target.container.push_back(*std::move(binary));
  const auto objects = target.container[0].select(emulator::kGfx950);
  if (!objects) return in_file(objects.status());
  std::string names;
  size_t found = 0;
  for (const std::span<const std::byte> bytes : *objects) {
    auto code_object = emulator::CodeObject::load(bytes);
    if (!code_object) return in_file(code_object.status());
    std::optional<size_t> index;
    for (size_t i = 0; i < code_object->kernels().size(); ++i) {
      const emulator::Kernel& kernel = code_object->kernels()[i];
      names += fmt::format("{}{}", names.empty() ? "" : ", ", kernel.name);
      if (!flags.kernel.empty() && !is_named(kernel, flags.kernel)) continue;
      ++found;
      index = i;
    }
    if (!index) continue;
    target.bytes = bytes;
    target.code_object.clear();
    target.code_object.push_back(*std::move(code_object));
    target.kernel = &target.code_object[0].kernels()[*index];
  }
  if (found == 1) return target;
  return Status::bad_input(fmt::format("{}: {}; there are: {}", flags.file,
                                       flags.kernel.empty() ? "which kernel? say --kernel"
                                       : found == 0 ? fmt::format("no kernel {}", flags.kernel)
                                                    : fmt::format("more than one kernel {}", flags.kernel),
                                       names.empty() ? "none" : names));
}

// Owns a module for the length of a run.
class LoadedModule {
 public:
  static Expected<LoadedModule> load(std::span<const std::byte> bytes) {
    LoadedModule module;
    MXPROOF_RETURN_IF_ERROR(
        hip_status(hipModuleLoadData(&module.module_, bytes.data()), "hipModuleLoadData"));
    return module;
  }
  LoadedModule(LoadedModule&& other) noexcept : module_(std::exchange(other.module_, nullptr)) {}
  LoadedModule& operator=(LoadedModule&&) = delete;
  ~LoadedModule() {
    if (module_ != nullptr) (void)hipModuleUnload(module_);
  }

  Expected<hipFunction_t> function(const std::string& name) const {
    hipFunction_t function = nullptr;
    MXPROOF_RETURN_IF_ERROR(hip_status(hipModuleGetFunction(&function, module_, name.c_str()), name));
    return function;
  }

 private:
  LoadedModule() = default;
  hipModule_t module_ = nullptr;
};

// What the kernel and the chip take, before the launch is refused for it.
Status check_sizes(const emulator::Kernel& kernel, const RunFlags& flags, const dim3& grid,
                   const dim3& block) {
  const emulator::LaunchShape shape{{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, flags.lds};
  const emulator::Outcome outcome = emulator::check_shape(kernel, shape);
  if (outcome.ok()) return {};
  return Status::bad_input(fmt::format("--grid {} --block {} --lds {}: {}", flags.grid, flags.block,
                                       flags.lds, outcome.message()));
}

Status launch(const Target& target, std::vector<RunArgument>& arguments, const dim3& grid, const dim3& block,
              unsigned lds) {
  const auto module = LoadedModule::load(target.bytes);
  if (!module) return module.status();
  const auto function = module->function(target.kernel->name);
  if (!function) return function.status();
  std::vector<DeviceBuffer> buffers;
  std::vector<void*> pointers;
  for (RunArgument& argument : arguments) {
    if (argument.buffer) {
      auto buffer = DeviceBuffer::copy_of(argument.buffer->contents.bytes);
      if (!buffer) return buffer.status();
      void* address = buffer->as<void>();
      std::memcpy(argument.value.data(), static_cast<const void*>(&address), sizeof(address));
      buffers.push_back(*std::move(buffer));
    }
    pointers.push_back(argument.value.data());
  }
  MXPROOF_RETURN_IF_ERROR(
      hip_status(hipModuleLaunchKernel(*function, grid.x, grid.y, grid.z, block.x, block.y, block.z, lds,
                                       nullptr, pointers.data(), nullptr),
                 target.kernel->name));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipDeviceSynchronize(), target.kernel->name));
  size_t next = 0;
  for (RunArgument& argument : arguments) {
    if (!argument.buffer) continue;
    MXPROOF_RETURN_IF_ERROR(buffers[next++].read(argument.buffer->contents.bytes));
  }
  return {};
}

Status run_kernel(const Program& program, const RunFlags& flags) {
  const auto grid = parse_sizes("--grid", flags.grid);
  if (!grid) return grid.status();
  const auto block = parse_sizes("--block", flags.block);
  if (!block) return block.status();
  MXPROOF_RETURN_IF_ERROR(flags.emulator.set_environment());
  if (const auto chosen = use_settings(flags.settings); !chosen) return chosen.status();
  const auto device = open_device(program, flags.device);
  if (!device) return device.status();
  if (flags.emulator.any() && device->name.find("emulated") == std::string::npos) {
    return Status::bad_input(fmt::format(
        "--watch, --counts, --order, --budget and --threads need the emulator (--device emulator); "
        "this is {}",
        device->name));
  }
  const auto target = find_target(flags);
  if (!target) return target.status();
  MXPROOF_RETURN_IF_ERROR(check_sizes(*target->kernel, flags, *grid, *block));
  auto arguments = bind_arguments(*target->kernel, flags.args);
  if (!arguments) return arguments.status();
  MXPROOF_RETURN_IF_ERROR(launch(*target, *arguments, *grid, *block, flags.lds));
  fmt::print("{}: {} x {} x {} work-groups of {} x {} x {} on {}\n", target->kernel->name, grid->x, grid->y,
             grid->z, block->x, block->y, block->z, device->name);
  for (const RunArgument& argument : *arguments) {
    if (!argument.buffer || argument.buffer->out_file.empty()) continue;
    MXPROOF_RETURN_IF_ERROR(write_array(argument.buffer->out_file, argument.buffer->contents));
    fmt::print("  {}: {}\n", argument.buffer->out_file, describe(argument.buffer->contents));
  }
  return {};
}

}  // namespace

void add_run(Program& program) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App& command = *program.app.add_subcommand(
      "run", "Run one kernel of a code object, with arguments from the command line");
  command.footer(emulator_flags_help() + "\n" + fmt::format(kFooter, dtype_names()));
  command.add_option("FILE", flags->file, "Code object, offload bundle or HIP program")->required();
  command.add_option("--kernel", flags->kernel, "Which kernel (default: the only one)")->type_name("NAME");
  command.add_option("--grid", flags->grid, "Work-groups")->type_name("X[,Y[,Z]]")->capture_default_str();
  command.add_option("--block", flags->block, "Work-items of a group")
      ->type_name("X[,Y[,Z]]")
      ->capture_default_str();
  command.add_option("--lds", flags->lds, "Dynamic LDS in bytes")->type_name("N")->capture_default_str();
  command.add_option("--arg", flags->args, "An argument, see below; once for each")
      ->type_name("VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  flags->emulator.add_to(command);
  add_settings_flag(command, flags->settings);
  add_device_flag(command, flags->device);
  command.callback([&program, flags] {
    program.action = [&program, flags] {
      const Status status = run_kernel(program, *flags);
      return status.ok() ? kExitPass : report_error(status);
    };
  });
}

}  // namespace mxproof
