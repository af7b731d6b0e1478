#include "optimized/plan/plan.hpp"

#include <fmt/format.h>

#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"
#include "optimized/device/info.hpp"
#include "optimized/plan/operand_checks.hpp"
#include "optimized/quantize/quantize.hpp"
#include "optimized/router/router.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof {
namespace {

/// Rows of intermediate `scale_32x8` buffers: a kernel needs no more than whole tiles.
constexpr int64_t kScaleRowPadding = Scale32x8::kTileRows;

/// Every kernel of the route takes this N and K.
Status check_shape(const GemmShape& shape, Route route, int splits) {
  for (const KernelId kernel : route_kernels(route, splits)) {
    const KernelInfo& info = kernel_info(kernel);
    MXPROOF_RETURN_IF_ERROR(first_error({check_multiple(kernel, "M", shape.m, 1),
                                         check_multiple(kernel, "N", shape.n, info.n_multiple),
                                         check_multiple(kernel, "K", shape.k, info.k_multiple)}));
  }
  return {};
}

/// The route, tile and split asked for, completed by the router.
Expected<Choice> decide(const GemmRequest& request, std::string_view arch) {
  auto router = Router::for_arch(arch);
  if (!router) return router.status();
  Choice choice =
      request.route ? router->choose(request.shape, *request.route) : router->choose(request.shape);
  if (request.splits && *request.splits != choice.splits) {
    // Another kernel may multiply now, with other tiles.
    choice.splits = *request.splits;
    choice.tile = default_tile(gemm_kernel(choice.route, choice.splits), request.shape);
    choice.reason = "requested split, default tile";
  }
  if (request.tile) {
    choice.tile = *request.tile;
    choice.reason = "requested tile";
  }
  MXPROOF_RETURN_IF_ERROR(validate(choice, request.shape));
  return choice;
}

}  // namespace

Expected<Plan> Plan::make(const GemmRequest& request) {
  auto device = device_info();
  if (!device) return device.status();
  MXPROOF_RETURN_IF_ERROR(device->check_supported());
  Plan plan;
  plan.request_ = request;
  GemmRequest& completed = plan.request_;
  if (completed.a_stride == 0) completed.a_stride = request.shape.k;
  if (completed.c_stride == 0) completed.c_stride = request.shape.n;
  // Before the router, which divides by what may be zero here.
  MXPROOF_RETURN_IF_ERROR(check_shape(request.shape, request.route.value_or(Route::one_kernel), 1));
  auto choice = decide(request, device->arch);
  if (!choice) return choice.status();
  plan.route_ = choice->route;
  plan.tile_ = choice->tile;
  plan.splits_ = choice->splits;
  plan.decided_by_ = choice->reason;
  MXPROOF_RETURN_IF_ERROR(check_shape(request.shape, plan.route_, plan.splits_));
  const KernelId gemm = gemm_kernel(plan.route_, plan.splits_);
  MXPROOF_RETURN_IF_ERROR(first_error({check_stride(gemm, "a", completed.a_stride, request.shape.k, 8),
                                       check_stride(gemm, "c", completed.c_stride, request.shape.n, 1)}));
  plan.layout_ = layout_workspace(request.shape, plan.route_, plan.splits_);
  auto workspace = DeviceBuffer::make(plan.layout_.bytes);
  if (!workspace) return workspace.status();
  plan.workspace_ = std::move(*workspace);
  return plan;
}

Plan::WorkspaceLayout Plan::layout_workspace(const GemmShape& shape, Route route, int splits) {
  WorkspaceLayout layout;
  const auto take = [&](int64_t bytes) {
    constexpr int64_t kAlignment = 256;
    const int64_t offset = layout.bytes;
    layout.bytes += round_up(bytes, kAlignment);
    return offset;
  };
  const Extent a_scales{shape.m, shape.blocks()};
  switch (route) {
    case Route::one_kernel:
      layout.row_scales = take(shape.n * shape.blocks());
      break;
    case Route::fused:
      layout.codes = take(shape.m * shape.row_bytes());
      layout.scales = take(Scale32x8(a_scales, kScaleRowPadding).padded().size());
      if (splits > 1) layout.partials = take(splits * shape.m * shape.n * int64_t{sizeof(float)});
      break;
    case Route::staged:
      layout.codes = take(shape.m * shape.row_bytes());
      layout.row_scales = take(a_scales.size());
      layout.scales = take(Scale32x8(a_scales, kScaleRowPadding).padded().size());
      break;
    case Route::direct:
      break;
  }
  return layout;
}

std::string Plan::describe() const {
  std::string kernels;
  for (const KernelId kernel : route_kernels(route_, splits_)) {
    kernels += fmt::format("{}{}", kernels.empty() ? "" : " + ", kernel_info(kernel).name);
  }
  return fmt::format("{}: {}, tile {}, K in {} ({})", route_name(route_), kernels, to_string(tile_), splits_,
                     decided_by_);
}

Status Plan::check_operands(const GemmPointers& pointers) const {
  const GemmShape& shape = request_.shape;
  const auto rows = [](std::string_view name, const Operand& operand, int64_t count, int64_t columns,
                       int64_t stride, int64_t alignment, bool written) {
    constexpr int64_t kBytes = sizeof(Bf16);
    return OperandNeed{
        name, operand, count, columns * kBytes, stride * kBytes, alignment, LayoutTag::bf16_rows, written};
  };
  const auto bytes = [](std::string_view name, const Operand& operand, int64_t size, int64_t alignment,
                        LayoutTag layout) {
    return OperandNeed{name, operand, 1, size, size, alignment, layout, false};
  };
  const int64_t code_bytes = shape.n * shape.row_bytes();
  const bool row_major_b = route_ == Route::one_kernel;
  const OperandNeed needs[] = {
      rows("a", pointers.a, shape.m, shape.k, request_.a_stride, 16, false),
      row_major_b ? bytes("b_codes", pointers.b_codes, code_bytes, 16, LayoutTag::codes_row_major)
                  : bytes("b_shuffled", pointers.b_shuffled, code_bytes, 16, LayoutTag::codes_16x16),
      bytes("b_scales", pointers.b_scales,
            Scale32x8({shape.n, shape.blocks()}, kScaleRowPadding).padded().size(), 4, LayoutTag::scale_32x8),
      rows("c", pointers.c, shape.m, shape.n, request_.c_stride, 2, true),
  };
  return check_operand_needs(route_name(route_), needs);
}

Expected<LaunchSequence> Plan::launches(const GemmPointers& pointers) const {
  MXPROOF_RETURN_IF_ERROR(check_operands(pointers));
  const GemmShape& shape = request_.shape;
  const Extent a_codes_extent{shape.m, shape.row_bytes()};
  const Extent a_scales_extent{shape.m, shape.blocks()};
  const Extent b_codes_extent{shape.n, shape.row_bytes()};
  const Extent b_scales_extent{shape.n, shape.blocks()};
  auto* workspace = workspace_.as<uint8_t>();

  const DeviceConstBf16 a{static_cast<const Bf16*>(pointers.a.data), shape.m, shape.k, request_.a_stride};
  const DeviceBf16 c{static_cast<Bf16*>(pointers.c.data), shape.m, shape.n, request_.c_stride};
  const DeviceScales32x8 b_scales{static_cast<uint8_t*>(pointers.b_scales.data),
                                  Scale32x8(b_scales_extent, kScaleRowPadding)};
  const DeviceCodes16x16 b{static_cast<uint8_t*>(pointers.b_shuffled.data), Codes16x16(b_codes_extent)};
  const DeviceCodes codes{workspace + layout_.codes, CodesRowMajor(a_codes_extent)};
  const DeviceScales32x8 scales{workspace + layout_.scales, Scale32x8(a_scales_extent, kScaleRowPadding)};
  auto* partials = reinterpret_cast<float*>(workspace + layout_.partials);

  LaunchSequence sequence;
  Status error;
  const auto add = [&](const Expected<Launch>& launch) {
    if (launch.ok()) {
      sequence.push_back(launch.value());
    } else if (error.ok()) {
      error = launch.status();
    }
  };
  switch (route_) {
    case Route::one_kernel: {
      const DeviceScales row_scales{workspace + layout_.row_scales, ScaleRowMajor(b_scales_extent)};
      const DeviceCodes b_codes{static_cast<uint8_t*>(pointers.b_codes.data), CodesRowMajor(b_codes_extent)};
      add(unshuffle_scales_launch(b_scales, row_scales));
      add(gemm_a16w4_launch(a, b_codes, row_scales, c, tile_));
      break;
    }
    case Route::fused:
      add(quantize_shuffle_launch(a, codes, scales));
      if (splits_ > 1) {
        add(gemm_splitk_launch(codes, scales, b, b_scales, partials, splits_, tile_));
        add(reduce_splitk_launch(partials, splits_, c));
      } else {
        add(gemm_a4w4_launch(codes, scales, b, b_scales, c, tile_));
      }
      break;
    case Route::staged: {
      const DeviceScales row_scales{workspace + layout_.row_scales, ScaleRowMajor(a_scales_extent)};
      add(quantize_launch(a, codes, row_scales));
      add(shuffle_scales_launch(row_scales, scales));
      add(gemm_a4w4_launch(codes, scales, b, b_scales, c, tile_));
      break;
    }
    case Route::direct:
      add(gemm_direct_launch(a, b, b_scales, c, tile_));
      break;
  }
  if (!error.ok()) return error;
  return sequence;
}

Status Plan::enqueue(const GemmPointers& pointers, hipStream_t stream) const {
  auto sequence = launches(pointers);
  if (!sequence) return sequence.status();
  for (const Launch& launch : *sequence) MXPROOF_RETURN_IF_ERROR(launch.enqueue(stream));
  return {};
}

}  // namespace mxproof
