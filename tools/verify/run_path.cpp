#include "tools/verify/run_path.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/compare/judge.hpp"
#include "common/compare/poison.hpp"

namespace mxproof {
namespace {

// C with a poisoned band on either side, in one allocation:
//
//   [ band | C, M x N bf16 | band ]
class GuardedOutput {
 public:
  static Expected<GuardedOutput> make(const GemmShape& shape) {
    GuardedOutput output;
    output.poisoned_.assign(static_cast<size_t>(shape.m * shape.n) + 2 * kBand, kPoisonBf16);
    Expected<DeviceBuffer> buffer = DeviceBuffer::copy_of(output.poisoned_);
    if (!buffer) return buffer.status();
    output.buffer_ = std::move(*buffer);
    return output;
  }

  Operand operand() const {
    return {buffer_.as<Bf16>() + kBand, buffer_.bytes() - 2 * int64_t{kBand * sizeof(Bf16)},
            LayoutTag::bf16_rows};
  }

  /// C after the run; an error when a band was written to.
  Expected<Matrix<Bf16>> read(const GemmShape& shape) const {
    const Expected<std::vector<Bf16>> all = buffer_.read_all<Bf16>();
    if (!all) return all.status();
    for (const bool behind : {false, true}) {
      const size_t first = behind ? all->size() - kBand : 0;
      const auto band = std::span(*all).subspan(first, kBand);
      const auto changed = std::ranges::find_if(band, [](Bf16 v) { return v != kPoisonBf16; });
      if (changed == band.end()) continue;
      const auto index = static_cast<size_t>(changed - band.begin());
      return Status::device(fmt::format("a kernel stored {} outside C, {} bytes {} it",
                                        std::ranges::count_if(band, [](Bf16 v) { return v != kPoisonBf16; }),
                                        2 * (behind ? index : kBand - index), behind ? "behind" : "before"));
    }
    Matrix<Bf16> c(shape.m, shape.n);
    std::copy_n(all->begin() + kBand, c.data.size(), c.data.begin());
    return c;
  }

 private:
  static constexpr size_t kBand = 2048;  // elements; keeps C aligned to 4096 bytes
  std::vector<Bf16> poisoned_;
  DeviceBuffer buffer_;
};

Expected<Matrix<Bf16>> run(Plan& plan, const DeviceOperands& operands) {
  const Expected<GuardedOutput> output = GuardedOutput::make(plan.request().shape);
  if (!output) return output.status();
  if (Status status = plan.poison_workspace(); !status) return status;
  if (Status status = plan.enqueue(operands.pointers(output->operand()), nullptr); !status) return status;
  return output->read(plan.request().shape);
}

}  // namespace

VerifyRow run_path(const GemmShape& shape, std::optional<Route> route, Expected<Plan>& plan,
                   const DeviceOperands& operands, const reference::GemmReference& expected,
                   const Acceptance& acceptance, const ExplainOutput& explain) {
  if (!plan) return row_without_run(shape, route, acceptance, plan.status());
  const Expected<Matrix<Bf16>> c = run(*plan, operands);
  VerifyRow row = c ? VerifyRow{shape, "", "", judge(acceptance, expected, c->view()), ""}
                    : row_without_run(shape, route, acceptance, c.status());
  if (c && passed(row.comparison.verdict) && row.comparison.non_finite == row.comparison.outputs) {
    row.comparison.verdict = Verdict::error;
    row.comparison.message =
        fmt::format("all {} expected outputs are NaN or Inf: that they are equal verifies nothing",
                    row.comparison.outputs);
  }
  row.path = route_name(plan->route());
  row.plan = plan->describe();
  if (c && row.comparison.verdict == Verdict::mismatch) row.explanation = explain(*c);
  return row;
}

VerifyRow row_without_run(const GemmShape& shape, std::optional<Route> route, const Acceptance& acceptance,
                          const Status& why) {
  VerifyRow row{shape, std::string(route ? route_name(*route) : "auto"), "", {}, ""};
  row.comparison.verdict = why.code() == StatusCode::refused ? Verdict::refused : Verdict::error;
  row.comparison.acceptance = acceptance;
  row.comparison.message = why.message();
  return row;
}

}  // namespace mxproof
