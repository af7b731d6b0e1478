#include "tools/probe/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

#include "common/array/byte_source.hpp"
#include "common/report/terminal.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/device/check.hpp"
#include "tools/device.hpp"
#include "tools/probe/experiment.hpp"
#include "tools/settings.hpp"

namespace mxproof {
namespace {

constexpr const char* kFooter =
    "Public sources leave some of what gfx950 computes open. The emulator has a switch for each; this runs "
    "the\n"
    "instructions on a device and says which settings are its own. The file of -o is what --settings of "
    "verify and\n"
    "run, and the environment variable MXPROOF_SETTINGS, take.\n\n"
    "Exit code: 0 every switch is settled and every fact holds, 1 something is not as modelled, 2 a flag or "
    "file is "
    "wrong.\n\n"
    "Example, on a machine with an MI355X:\n"
    "  mxproof probe -o mi355x.json && mxproof verify --settings mi355x.json";

struct ProbeFlags {
  std::string out;
  std::string settings;
  std::string device;
};

Expected<std::vector<uint32_t>> run_on_device(chip_probe::KernelId id, std::span<const uint32_t> in) {
  const chip_probe::KernelInfo& kernel = chip_probe::info_of(id);
  const auto input = DeviceBuffer::copy_of(in);
  if (!input) return input.status();
  const auto output =
      DeviceBuffer::make(int64_t{kernel.rows_out} * chip_probe::kLanes * int64_t{sizeof(uint32_t)});
  if (!output) return output.status();
  const uint32_t* from = input->as<uint32_t>();
  uint32_t* to = output->as<uint32_t>();
  std::array<void*, 2> arguments = {static_cast<void*>(&from), static_cast<void*>(&to)};
  MXPROOF_RETURN_IF_ERROR(hip_status(hipLaunchKernel(chip_probe::kernel_function(id), dim3(1),
                                                     dim3(chip_probe::kLanes), arguments.data(), 0, nullptr),
                                     kernel.name));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipDeviceSynchronize(), kernel.name));
  return output->read_all<uint32_t>();
}

std::string setting_text(const chip_probe::SwitchFinding& finding) {
  std::vector<std::string_view> names;
  for (const size_t setting : finding.fitting) names.push_back(info_of(finding.id).settings[setting]);
  if (names.empty()) return "none fits";
  return fmt::format("{}", fmt::join(names, " or "));
}

std::string to_text(const chip_probe::Findings& findings) {
  size_t width = 0;
  for (const ChipSwitchInfo& info : chip_switches()) width = std::max(width, info.name.size());
  std::string text = "switches\n";
  for (const chip_probe::SwitchFinding& finding : findings.switches) {
    text += fmt::format("  {:{}}  {:15}  {}\n", info_of(finding.id).name, width, setting_text(finding),
                        info_of(finding.id).about);
    if (!finding.contradiction.empty())
      text += fmt::format("  {:{}}  {}\n", "", width, finding.contradiction);
  }
  text += "\nfacts that the machine relies on\n";
  for (const chip_probe::FactFinding& finding : findings.facts) {
    text += fmt::format("  {:8}  {}: {}\n", finding.holds ? "holds" : "differs",
                        finding.experiment->instruction, finding.experiment->what);
    if (!finding.holds) text += fmt::format("  {:8}  {}\n", "", finding.difference);
  }
  return text;
}

Status write_settings(const std::string& path, const chip_probe::Findings& findings,
                      const std::string& device) {
  return write_text(path, chip_settings_text(findings.settings(), device, findings.undetermined()));
}

int run_probe(const Program& program, const ProbeFlags& flags) {
  if (const auto chosen = use_settings(flags.settings); !chosen) return report_error(chosen.status());
  const auto device = open_device(program, flags.device);
  if (!device) return report_error(device.status());
  const auto findings = chip_probe::run_experiments(run_on_device);
  if (!findings) return report_error(findings.status());
  fmt::print("{} experiments on {}\n\n{}\n", chip_probe::experiments().size(), one_line(device->name),
             to_text(*findings));
  const size_t open = findings->undetermined().size();
  const auto wrong = std::ranges::count(findings->facts, false, &chip_probe::FactFinding::holds);
  fmt::print("{} of {} switches settled, {} of {} facts hold\n", chip_switches().size() - open,
             chip_switches().size(), std::ssize(findings->facts) - wrong, findings->facts.size());
  if (!flags.out.empty())
    if (Status status = write_settings(flags.out, *findings, device->name); !status)
      return report_error(status);
  return findings->is_complete() ? kExitPass : kExitFail;
}

}  // namespace

void add_probe(Program& program) {
  auto flags = std::make_shared<ProbeFlags>();
  CLI::App& command = *program.app.add_subcommand(
      "probe", "Find out what a chip computes where public sources leave it open");
  command.footer(kFooter);
  command.add_option("-o,--out", flags->out, "Write the settings to FILE as JSON")->type_name("FILE");
  add_settings_flag(command, flags->settings);
  add_device_flag(command, flags->device);
  command.callback(
      [&program, flags] { program.action = [&program, flags] { return run_probe(program, *flags); }; });
}

}  // namespace mxproof
