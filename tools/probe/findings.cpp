// Running the experiments and drawing conclusions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

#include "tools/probe/experiment.hpp"

namespace mxproof::chip_probe {
namespace {

constexpr std::array kKernels = {
    KernelInfo{KernelId::mfma_scale_fp4, "probe_mfma_scale_fp4", 14, 4},
    KernelInfo{KernelId::mfma_scale_fp4_mode_up, "probe_mfma_scale_fp4_mode_up", 14, 4},
    KernelInfo{KernelId::mfma_scale_fp8, "probe_mfma_scale_fp8", 22, 4},
    KernelInfo{KernelId::mfma_f16, "probe_mfma_f16", 12, 4},
    KernelInfo{KernelId::cvt_to_fp4, "probe_cvt_to_fp4", 4, 1},
    KernelInfo{KernelId::cvt_from_fp4, "probe_cvt_from_fp4", 2, 2},
    KernelInfo{KernelId::cvt_sr_fp8, "probe_cvt_sr_fp8", 2, 1},
    KernelInfo{KernelId::cvt_2xpk16, "probe_cvt_2xpk16", 3, 1},
    KernelInfo{KernelId::dot2_f16, "probe_dot2_f16", 3, 1},
    KernelInfo{KernelId::add_f32, "probe_add_f32", 2, 1},
    KernelInfo{KernelId::permlane32_swap, "probe_permlane32_swap", 2, 2},
    KernelInfo{KernelId::transcendentals, "probe_transcendentals", 1, 7},
    KernelInfo{KernelId::ds_read_tr, "probe_ds_read_tr", 3, 9},
    KernelInfo{KernelId::load_to_lds, "probe_load_to_lds", 4, 4},
};

size_t place(int row, int lane) {
  return static_cast<size_t>(row) * kLanes + static_cast<size_t>(lane);
}

std::vector<uint32_t> input_rows(const Experiment& experiment) {
  std::vector<uint32_t> rows(static_cast<size_t>(info_of(experiment.kernel).rows_in) * kLanes);
  for (const Input& input : experiment.in) {
    assert(input.row < info_of(experiment.kernel).rows_in);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (input.lane == kEveryLane || input.lane == lane) rows[place(input.row, lane)] = input.value;
    }
  }
  return rows;
}

bool meets(uint64_t expected, uint32_t observed) {
  if (expected == kAnyNan) return (observed & 0x7fffffffU) > 0x7f800000U;
  return expected == observed;
}

/// The outputs that an experiment looks at.
Expected<std::vector<uint32_t>> observe(const Experiment& experiment, const Runner& run) {
  const Expected<std::vector<uint32_t>> rows = run(experiment.kernel, input_rows(experiment));
  if (!rows)
    return Status(rows.status().code(),
                  fmt::format("{}: {}", experiment.instruction, rows.status().message()));
  assert(rows->size() == static_cast<size_t>(info_of(experiment.kernel).rows_out) * kLanes);
  std::vector<uint32_t> observed;
  for (const Cell& cell : experiment.look) observed.push_back((*rows)[place(cell.row, cell.lane)]);
  return observed;
}

bool all_meet(const std::vector<uint64_t>& expected, const std::vector<uint32_t>& observed) {
  return std::ranges::equal(expected, observed, meets);
}

void weigh(const Experiment& experiment, const std::vector<uint32_t>& observed, SwitchFinding& finding) {
  ++finding.experiments;
  std::erase_if(finding.fitting,
                [&](size_t setting) { return !all_meet(experiment.expected[setting], observed); });
  if (!finding.fitting.empty() || !finding.contradiction.empty()) return;
  finding.contradiction = fmt::format("{}, {}: gave", experiment.instruction, experiment.what);
  for (const uint32_t value : observed) finding.contradiction += fmt::format(" 0x{:08x}", value);
}

FactFinding check(const Experiment& experiment, const std::vector<uint32_t>& observed) {
  FactFinding finding{&experiment, true, {}};
  for (size_t i = 0; i < observed.size() && finding.holds; ++i) {
    const uint64_t expected = experiment.expected[0][i];
    if (meets(expected, observed[i])) continue;
    finding.holds = false;
    finding.difference =
        fmt::format("row {} lane {}: 0x{:08x}, not {}", experiment.look[i].row, experiment.look[i].lane,
                    observed[i], expected == kAnyNan ? "a NaN" : fmt::format("0x{:08x}", expected));
  }
  return finding;
}

}  // namespace

std::span<const KernelInfo> kernels() {
  return kKernels;
}

Expected<Findings> run_experiments(const Runner& run) {
  Findings findings;
  for (const ChipSwitchInfo& info : chip_switches()) {
    SwitchFinding finding{info.id, 0, std::vector<size_t>(info.settings.size()), {}};
    std::iota(finding.fitting.begin(), finding.fitting.end(), size_t{0});
    findings.switches.push_back(std::move(finding));
  }
  for (const Experiment& experiment : experiments()) {
    const Expected<std::vector<uint32_t>> observed = observe(experiment, run);
    if (!observed) return observed.status();
    if (experiment.about) {
      weigh(experiment, *observed, findings.switches[static_cast<size_t>(*experiment.about)]);
    } else {
      findings.facts.push_back(check(experiment, *observed));
    }
  }
  return findings;
}

ChipSettings Findings::settings() const {
  ChipSettings settings;
  for (const SwitchFinding& finding : switches)
    if (finding.is_determined()) choose_setting(settings, finding.id, finding.fitting[0]);
  return settings;
}

std::vector<ChipSwitch> Findings::undetermined() const {
  std::vector<ChipSwitch> ids;
  for (const SwitchFinding& finding : switches)
    if (!finding.is_determined()) ids.push_back(finding.id);
  return ids;
}

bool Findings::is_complete() const {
  return undetermined().empty() && std::ranges::all_of(facts, &FactFinding::holds);
}

}  // namespace mxproof::chip_probe
