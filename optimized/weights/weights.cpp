#include "optimized/weights/weights.hpp"

#include <fmt/format.h>

#include "optimized/device/check.hpp"
#include "optimized/quantize/quantize.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof {
namespace {

Status run(const Expected<Launch>& launch) {
  return launch.ok() ? launch.value().enqueue(nullptr) : launch.status();
}

/// Moves the buffer out of `made`, or returns its error.
Status take(Expected<DeviceBuffer> made, DeviceBuffer& into) {
  if (!made) return made.status();
  into = std::move(*made);
  return {};
}

}  // namespace

Expected<Weights> Weights::upload(const Mxfp4Matrix& plain, uint8_t fill) {
  Weights weights;
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::copy_of(plain.codes), weights.codes_));
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::copy_of(plain.scales), weights.row_scales_));
  MXPROOF_RETURN_IF_ERROR(weights.shuffle(plain.rows, plain.cols, fill));
  return weights;
}

Expected<Weights> Weights::quantize(MatrixView<const Bf16> values, uint8_t fill) {
  const int64_t n = values.rows;
  const int64_t k = values.cols;
  if (values.stride != k)
    return Status::refused("weights with a row stride are not uploaded; copy them first");
  DeviceBuffer bf16;
  const std::span<const Bf16> elements(values.data, static_cast<size_t>(n * k));
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::copy_of(elements), bf16));
  Weights weights;
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::make(n * k / 2, fill), weights.codes_));
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::make(n * k / kBlock, fill), weights.row_scales_));
  MXPROOF_RETURN_IF_ERROR(
      run(quantize_launch({bf16.as<const Bf16>(), n, k, k}, {weights.codes_.as(), CodesRowMajor({n, k / 2})},
                          {weights.row_scales_.as(), ScaleRowMajor({n, k / kBlock})})));
  MXPROOF_RETURN_IF_ERROR(weights.shuffle(n, k, fill));
  return weights;
}

Status Weights::shuffle(int64_t n, int64_t k, uint8_t fill) {
  const Extent code_extent{n, k / 2};
  const Scale32x8 scale_layout({n, k / kBlock});
  MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::make(scale_layout.padded().size(), fill), scales_));
  const DeviceScales row_scales{row_scales_.as(), ScaleRowMajor(scale_layout.logical())};
  MXPROOF_RETURN_IF_ERROR(run(shuffle_scales_launch(row_scales, {scales_.as(), scale_layout})));
  if (Codes16x16::accepts(code_extent)) {
    MXPROOF_RETURN_IF_ERROR(take(DeviceBuffer::make(code_extent.size(), fill), shuffled_));
    MXPROOF_RETURN_IF_ERROR(run(preshuffle_codes_launch({codes_.as(), CodesRowMajor(code_extent)},
                                                        {shuffled_.as(), Codes16x16(code_extent)})));
  }
  return hip_status(hipStreamSynchronize(nullptr), "hipStreamSynchronize");
}

void Weights::set(GemmPointers& pointers) const {
  pointers.b_codes = codes_.operand(LayoutTag::codes_row_major);
  pointers.b_shuffled = shuffled_.operand(LayoutTag::codes_16x16);
  pointers.b_scales = scales_.operand(LayoutTag::scale_32x8);
}

}  // namespace mxproof
