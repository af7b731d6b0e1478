#include "tools/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "optimized/device/check.hpp"
#include "tools/profile/device_timer.hpp"
#include "tools/profile/launch_model.hpp"

namespace mxproof {
namespace {

template <class Value>
auto sum_over(const std::vector<StepProfile>& steps, Value StepProfile::* member) {
  return std::accumulate(steps.begin(), steps.end(), Value{},
                         [&](Value sum, const StepProfile& step) { return sum + step.*member; });
}

Status count(PathProfile& profile, const Plan& plan, const GemmPointers& pointers, LaunchLog& log) {
  profile.emulated = true;
  static_cast<void>(log.take().ok());  // What was launched before.
  MXPROOF_RETURN_IF_ERROR(plan.enqueue(pointers, nullptr));
  MXPROOF_RETURN_IF_ERROR(hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize"));
  const auto launches = log.take();
  if (!launches) return launches.status();
  if (launches->size() != profile.steps.size()) {
    return Status::internal(
        fmt::format("{} launches were logged, but the path has {}", launches->size(), profile.steps.size()));
  }
  for (size_t i = 0; i < launches->size(); ++i) {
    const LoggedLaunch& launch = (*launches)[i];
    StepProfile& step = profile.steps[i];
    step.waves = launch.waves;
    step.wave_instructions = launch.wave_instructions;
    step.matrix_instructions = launch.matrix_instructions;
    step.modelled_us = modelled_us(launch, static_cast<double>(step.bytes));
  }
  return {};
}

Status time(PathProfile& profile, const Plan& plan, const GemmPointers& pointers,
            const LaunchSequence& sequence) {
  auto timer = DeviceTimer::make();
  if (!timer) return timer.status();
  for (size_t i = 0; i < sequence.size(); ++i) {
    auto device = timer->device_us(sequence[i]);
    if (!device) return device.status();
    profile.steps[i].device_us = *device;
    auto single = timer->call_us([&](hipStream_t stream) { return sequence[i].enqueue(stream); });
    if (!single) return single.status();
    profile.steps[i].enqueue_us = single->host_us;
  }
  auto call = timer->call_us([&](hipStream_t stream) { return plan.enqueue(pointers, stream); });
  if (!call) return call.status();
  profile.call_us = call->device_us;
  profile.enqueue_us = call->host_us;
  return {};
}

}  // namespace

int64_t PathProfile::bytes() const {
  return sum_over(steps, &StepProfile::bytes);
}

double PathProfile::device_us() const {
  return sum_over(steps, &StepProfile::device_us);
}

double PathProfile::modelled_us() const {
  return sum_over(steps, &StepProfile::modelled_us);
}

double PathProfile::dispatch_share() const {
  if (emulated) {
    return static_cast<double>(steps.size()) * ModelledChip{}.launch_us / modelled_us();
  }
  return std::max(0.0, 1 - device_us() / call_us);
}

int64_t step_bytes(KernelId kernel, const GemmShape& shape, int splits) {
  const int64_t a = 2 * shape.m * shape.k;
  const int64_t a4 = shape.m * (shape.row_bytes() + shape.blocks());
  const int64_t b4 = shape.n * (shape.row_bytes() + shape.blocks());
  const int64_t c = 2 * shape.m * shape.n;
  const int64_t partials = 4 * splits * shape.m * shape.n;
  switch (kernel) {
    case KernelId::quantize:
    case KernelId::quantize_shuffle:
      return a + a4;
    case KernelId::shuffle_scales:  // of A
      return 2 * shape.m * shape.blocks();
    case KernelId::unshuffle_scales:  // of B
      return 2 * shape.n * shape.blocks();
    case KernelId::preshuffle_codes:
      return 2 * shape.n * shape.row_bytes();
    case KernelId::gemm_a16w4:
    case KernelId::gemm_direct:
      return a + b4 + c;
    case KernelId::gemm_a4w4:
      return a4 + b4 + c;
    case KernelId::gemm_splitk:
      return a4 + b4 + partials;
    case KernelId::reduce_splitk:
      return partials + c;
  }
  return 0;
}

Expected<PathProfile> profile_path(const Plan& plan, const GemmPointers& pointers, LaunchLog* log) {
  auto sequence = plan.launches(pointers);
  if (!sequence) return sequence.status();
  PathProfile profile;
  for (const Launch& launch : *sequence) {
    StepProfile step;
    step.kernel = launch.kernel();
    step.bytes = step_bytes(launch.kernel(), plan.request().shape, plan.splits());
    profile.steps.push_back(step);
  }
  MXPROOF_RETURN_IF_ERROR(log != nullptr ? count(profile, plan, pointers, *log)
                                         : time(profile, plan, pointers, *sequence));
  return profile;
}

}  // namespace mxproof
