// `mxproof probe` on the emulated machine: whatever its switches are set to is what the experiments find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "emulator/isa/host_address.hpp"
#include "emulator/loader/file_bytes.hpp"
#include "emulator/machine/launch.hpp"
#include "tests/support/temp_folder.hpp"
#include "tests/tools/run_program.hpp"
#include "tools/probe/experiment.hpp"

namespace mxproof::chip_probe {
namespace {

using ::testing::HasSubstr;

/// Runs the probe's kernels on the machine itself, with settings of the test's choice.
class Machine {
 public:
  Machine() {
    const auto bytes = emulator::read_file_bytes(MXPROOF_PROBE_KERNELS);
    EXPECT_TRUE(bytes.ok()) << bytes.status().message();
    auto loaded = emulator::CodeObject::load(*bytes);
    EXPECT_TRUE(loaded.ok()) << loaded.status().message();
    code_.push_back(*std::move(loaded));
  }

  Runner runner(const ChipSettings& settings) const {
    return [this, settings](KernelId id, std::span<const uint32_t> in) { return run(settings, id, in); };
  }

 private:
  Expected<std::vector<uint32_t>> run(const ChipSettings& settings, KernelId id,
                                      std::span<const uint32_t> in) const {
    const emulator::Kernel* kernel = code_[0].find(info_of(id).name);
    if (kernel == nullptr) return Status::internal("there is no such kernel");
    std::vector<uint32_t> out(static_cast<size_t>(info_of(id).rows_out) * kLanes, 0xffffffff);
    emulator::GlobalMemory memory;
    for (const auto& [data, bytes] :
         {std::pair<const void*, size_t>{in.data(), in.size_bytes()},
          std::pair<const void*, size_t>{out.data(), out.size() * sizeof(uint32_t)}})
      if (Status status = memory.add(data, bytes); !status) return status;
    std::vector<std::byte> kernarg(kernel->kernarg_bytes);
    const std::array<const void*, 2> arguments = {in.data(), out.data()};
    std::memcpy(kernarg.data(), arguments.data(), sizeof arguments);
    emulator::LaunchConfig config;
    config.block = {kLanes, 1, 1};
    config.kernarg = kernarg;
    config.threads = 1;
    config.settings = settings;
    const auto report = emulator::launch(code_[0], *kernel, config, memory);
    if (!report) return report.status();
    return out;
  }

  std::vector<emulator::CodeObject> code_;
};

std::string text_of(const ChipSettings& settings) {
  return chip_settings_text(settings, "test");
}

void expect_recovered(const Machine& machine, const ChipSettings& settings) {
  const auto findings = run_experiments(machine.runner(settings));
  ASSERT_TRUE(findings.ok()) << findings.status().message();
  for (const SwitchFinding& finding : findings->switches) {
    EXPECT_TRUE(finding.is_determined()) << info_of(finding.id).name << " " << finding.contradiction;
  }
  EXPECT_EQ(text_of(findings->settings()), text_of(settings));
  for (const FactFinding& fact : findings->facts) {
    EXPECT_TRUE(fact.holds) << fact.experiment->instruction << ": " << fact.experiment->what << "; "
                            << fact.difference;
  }
  EXPECT_TRUE(findings->is_complete());
}

TEST(ChipProbe, RecoversEverySettingOfEverySwitch) {
  const Machine machine;
  int tried = 0;
  for (const ChipSwitchInfo& info : chip_switches()) {
    ASSERT_GE(info.settings.size(), 2U) << info.name;
    for (size_t setting = 0; setting < info.settings.size(); ++setting, ++tried) {
      SCOPED_TRACE(testing::Message() << info.name << " = " << info.settings[setting]);
      ChipSettings settings;
      choose_setting(settings, info.id, setting);
      expect_recovered(machine, settings);
    }
  }
  EXPECT_EQ(tried, 31) << "settings of all switches together";
}

TEST(ChipProbe, RecoversRandomCombinations) {
  const Machine machine;
  const uint64_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    ChipSettings settings;
    for (const ChipSwitchInfo& info : chip_switches())
      choose_setting(settings, info.id, random() % info.settings.size());
    expect_recovered(machine, settings);
  }
}

/// Two settings that no experiment tells apart could not be recovered from any chip.
TEST(ChipProbe, EveryPairOfSettingsIsToldApart) {
  for (const ChipSwitchInfo& info : chip_switches()) {
    for (size_t a = 0; a < info.settings.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        int apart = 0;
        for (const Experiment& experiment : experiments()) {
          if (experiment.about == info.id)
            apart += experiment.expected.at(a) != experiment.expected.at(b) ? 1 : 0;
        }
        EXPECT_GT(apart, 0) << info.name << ": " << info.settings[a] << ", " << info.settings[b];
      }
    }
  }
}

TEST(ChipProbe, SaysWhenAChipDoesSomethingElse) {
  const Machine machine;
  const Runner right = machine.runner({});
  // A chip that gives every output one bit wrong, but for one kernel.
  const Runner wrong = [&](KernelId id, std::span<const uint32_t> in) {
    auto out = right(id, in);
    if (out.ok() && id != KernelId::dot2_f16)
      for (uint32_t& value : *out) value ^= 1U << 30;
    return out;
  };
  const auto findings = run_experiments(wrong);
  ASSERT_TRUE(findings.ok());
  EXPECT_FALSE(findings->is_complete());
  for (const SwitchFinding& finding : findings->switches) {
    if (finding.id == ChipSwitch::dot2_rounding) {
      EXPECT_TRUE(finding.is_determined());
      continue;
    }
    EXPECT_TRUE(finding.fitting.empty()) << info_of(finding.id).name;
    EXPECT_THAT(finding.contradiction, HasSubstr("gave 0x"));
  }
  EXPECT_EQ(findings->undetermined().size(), chip_switches().size() - 1);
  size_t differ = 0;
  for (const FactFinding& fact : findings->facts) differ += fact.holds ? 0 : 1;
  EXPECT_EQ(differ, findings->facts.size());
}

/// The table of emulator/README.md has a row for every switch with all of its settings, in order.
TEST(ChipProbe, TheReadmeListsEverySetting) {
  std::ifstream file(MXPROOF_SOURCE_DIR "/emulator/README.md");
  std::stringstream text;
  text << file.rdbuf();
  for (const ChipSwitchInfo& info : chip_switches()) {
    std::string row = "| `" + std::string(info.name) + "` | ";
    for (const std::string_view setting : info.settings)
      row += (setting == info.settings[0] ? "`" : ", `") + std::string(setting) + "`";
    EXPECT_THAT(text.str(), HasSubstr(row + " | "));
  }
}

TEST(ChipProbe, AFailedRunIsTheProbesError) {
  const auto findings =
      run_experiments([](KernelId, std::span<const uint32_t>) -> Expected<std::vector<uint32_t>> {
        return Status::device("no such chip");
      });
  ASSERT_FALSE(findings.ok());
  EXPECT_THAT(findings.status().message(), HasSubstr("v_mfma_scale_f32_16x16x128_f8f6f4: no such chip"));
}

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(ChipProbeProgram, WritesTheSettingsThatTheEmulatorWasGiven) {
  const TempFolder folder;
  ChipSettings settings;
  settings.mfma_accumulation = MfmaAccumulation::truncating;
  settings.narrow_nan = NarrowNan::zero;
  std::ofstream(folder.file("in.json")) << chip_settings_text(settings, "a chip");
  const ProgramResult result = run_mxproof(
      {"probe", "--device", "emulator", "--settings", folder.file("in.json"), "-o", folder.file("out.json")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("mfma_accumulation        truncating"));
  EXPECT_THAT(result.out, HasSubstr("12 of 12 switches settled, 13 of 13 facts hold"));
  const auto found = parse_chip_settings(read_text(folder.file("out.json")));
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found->settings, settings);
  EXPECT_EQ(found->named.size(), chip_switches().size());
}

/// C of any product outside the exact zone follows the accumulation that the file names, and verify demands
/// it.
TEST(ChipProbeProgram, VerifyTakesTheFile) {
  const TempFolder folder;
  ChipSettings settings;
  settings.mfma_accumulation = MfmaAccumulation::fused;
  std::ofstream(folder.file("chip.json")) << chip_settings_text(settings, "a chip");
  const ProgramResult result =
      run_mxproof({"verify", "--device", "emulator", "--settings", folder.file("chip.json"), "--shapes",
                   "32x32x256", "--path", "all"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST(ChipProbeProgram, AMalformedFileIsOneClearError) {
  const TempFolder folder;
  std::ofstream(folder.file("bad.json"))
      << R"({"mxproof_settings": 1, "settings": {"mfma_acumulation": "fused"}})";
  for (const char* command : {"probe", "verify"}) {
    const ProgramResult result =
        run_mxproof({command, "--device", "emulator", "--settings", folder.file("bad.json")});
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_THAT(result.err, HasSubstr("--settings: "));
    EXPECT_THAT(result.err,
                HasSubstr("bad.json: settings: there is no switch 'mfma_acumulation'; there are mfma_"));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  }
  const ProgramResult missing =
      run_mxproof({"probe", "--device", "emulator"}, {"MXPROOF_SETTINGS=/nowhere.json"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("MXPROOF_SETTINGS=/nowhere.json: cannot be read"));
}

}  // namespace
}  // namespace mxproof::chip_probe
