#include "optimized/launch.hpp"

#include <fmt/format.h>

#include "optimized/device/check.hpp"

namespace mxproof {

Status Launch::enqueue(hipStream_t stream) const {
  if (function_ == nullptr) return Status::internal("an empty launch was enqueued");
  argument_pointers_[0] = argument_.data();
  const hipError_t error =
      hipLaunchKernel(function_, grid_, block_, argument_pointers_.data(), dynamic_lds_, stream);
  if (error == hipSuccess) return {};
  return hip_status(error, fmt::format("launch of {} with {}x{}x{} work-groups of {} threads",
                                       kernel_info(kernel_).name, grid_.x, grid_.y, grid_.z, block_.x));
}

hipKernelNodeParams Launch::node_params() const {
  argument_pointers_[0] = argument_.data();
  hipKernelNodeParams params{};
  params.func = const_cast<void*>(function_);
  params.gridDim = grid_;
  params.blockDim = block_;
  params.sharedMemBytes = dynamic_lds_;
  params.kernelParams = argument_pointers_.data();
  return params;
}

}  // namespace mxproof
