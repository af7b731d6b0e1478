// Takes every s_waitcnt and every s_barrier out of our GEMM, one at a time: the watchers find each that
// matters.
//
// The machine completes loads as late as the counters allow. So if without one of them no watcher reports
// anything and every bit of every product stays the same, that one does not matter for these products:
// nothing used what it waited for before another wait that covers it, or nothing of it was in flight.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bench/emulator/gemm_case.hpp"
#include "emulator/machine/program.hpp"

namespace mxproof::emulator {
namespace {

constexpr uint32_t kNop = 0xbf800000;  // s_nop 0
constexpr uint16_t kPoison = 0xffff;

/// Whole chunks and a tail of K, tails of M and N; whole chunks alone, an even and an odd number; a tail
/// alone; columns that are no runs of four.
struct Shape {
  int64_t m, n, k;
};
constexpr Shape kShapes[] = {{70, 144, 1344}, {64, 128, 1024}, {16, 128, 768}, {5, 16, 64}, {3, 18, 576}};

/// What a product came to.
struct Result {
  Status status;
  std::vector<WatchReport> reports;
  std::vector<uint16_t> c;
  uint64_t nops = 0;  ///< s_nop executed.
};

class Removal : public testing::Test {
 protected:
  void SetUp() override {
    auto code = load_code(MXPROOF_GEMM_CODE);
    ASSERT_TRUE(code.ok()) << code.status().message();
    code_.push_back(*std::move(code));
    kernel_ = kernel_with(code_[0], GemmCase::kKernel);
    ASSERT_NE(kernel_, nullptr);
    for (const Shape& shape : kShapes) {
      cases_.push_back(std::make_unique<GemmCase>(*kernel_, shape.m, shape.n, shape.k));
      ASSERT_TRUE(cases_.back()->ok());
    }
  }

  Result run(GemmCase& gemm) {
    Result result;
    std::ranges::fill(gemm.c(), kPoison);
    LaunchConfig config = gemm.config();
    config.watch.watchers = WatchSet::all();
    config.reports = &result.reports;
    config.instruction_budget = 1 << 22;
    const auto report = launch(code_[0], *kernel_, config, gemm.memory());
    result.status = report.status();
    result.c = gemm.c();
    if (!report.ok()) return result;
    for (const MnemonicCount& count : report->by_mnemonic) {
      if (count.mnemonic == "s_nop") result.nops = count.executed;
    }
    return result;
  }

  /// Addresses of instructions to take out, with their text.
  std::vector<std::pair<uint64_t, std::string>> candidates() {
    for (const Segment& segment : code_[0].segments()) {
      if (!segment.executable || kernel_->entry - segment.address >= segment.size) continue;
      const std::span code(reinterpret_cast<const std::byte*>(segment.address), segment.size);
      const auto program = Program::decode(code, kernel_->entry);
      EXPECT_TRUE(program.ok()) << program.status().message();
      std::vector<std::pair<uint64_t, std::string>> found;
      (*program)->for_each([&](const Instruction& inst) {
        if (inst.row == nullptr || (inst.row->name != "s_waitcnt" && inst.row->name != "s_barrier")) return;
        found.emplace_back(inst.pc, (*program)->text_of(inst));
      });
      return found;
    }
    return {};
  }

  std::vector<CodeObject> code_;
  const Kernel* kernel_ = nullptr;
  std::vector<std::unique_ptr<GemmCase>> cases_;
};

TEST_F(Removal, OfAnyWaitOrBarrierThatMattersIsFound) {
  std::vector<Result> whole;
  for (const auto& gemm : cases_) {
    whole.push_back(run(*gemm));
    ASSERT_TRUE(whole.back().status.ok()) << whole.back().status.message();
    for (const WatchReport& report : whole.back().reports) ADD_FAILURE() << to_text(report);
    ASSERT_EQ(std::ranges::count(whole.back().c, kPoison), 0);
  }
  int found = 0;
  int needless = 0;
  int unreached = 0;
  std::string list;
  const auto all = candidates();
  ASSERT_GT(all.size(), 10U);
  for (const auto& [pc, text] : all) {
    uint32_t word = 0;
    auto* place = reinterpret_cast<std::byte*>(pc);
    std::memcpy(&word, place, sizeof word);
    std::memcpy(place, &kNop, sizeof kNop);
    bool is_found = false;
    bool is_reached = false;
    bool is_same = true;
    for (size_t i = 0; i < cases_.size() && !is_found; ++i) {
      const Result result = run(*cases_[i]);
      is_found = !result.reports.empty();
      is_reached |= is_found || result.nops != whole[i].nops;
      is_same &= result.status.ok() && result.c == whole[i].c;
    }
    std::memcpy(place, &word, sizeof word);
    const std::string name = fmt::format("'{}' at +0x{:x}", text, pc - kernel_->entry);
    EXPECT_TRUE(is_found || is_same) << "nobody saw that " << name << " is missing";
    if (text.starts_with("s_barrier")) EXPECT_TRUE(is_found) << name;
    found += is_found ? 1 : 0;
    needless += !is_found && is_reached ? 1 : 0;
    unreached += is_reached ? 0 : 1;
    if (!is_found) list += fmt::format("  {}{}\n", name, is_reached ? "" : ", which no product reaches");
  }
  std::printf("%zu waits and barriers: %d found when missing, %d that change nothing, %d never reached\n%s",
              all.size(), found, needless, unreached, list.c_str());
  EXPECT_GT(found, needless + unreached) << "most of them matter";
}

}  // namespace
}  // namespace mxproof::emulator
