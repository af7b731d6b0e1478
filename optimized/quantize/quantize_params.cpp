#include "optimized/quantize/quantize_params.hpp"

#include "optimized/checks.hpp"
#include "optimized/device/check.hpp"

namespace mxproof {

Expected<QuantizeParams> quantize_params(KernelId kernel, DeviceConstBf16 a, const DeviceCodes& codes,
                                         uint8_t* scales, Extent scale_extent) {
  const Extent extent{a.rows, a.cols};
  MXPROOF_RETURN_IF_ERROR(first_error({
      check_multiple(kernel, "rows", a.rows, 1),
      check_multiple(kernel, "K", a.cols, kBlock),
      check_pointer(kernel, "a", a.data, 16),
      check_stride(kernel, "a", a.stride, a.cols, 8),
      check_pointer(kernel, "codes", codes.data, 16),
      check_extent(kernel, "codes", codes.layout.logical(), {extent.rows, extent.cols / 2}),
      check_pointer(kernel, "scales", scales, 1),
      check_extent(kernel, "scales", scale_extent, {extent.rows, extent.cols / kBlock}),
      check_grid(kernel, "K", ceil_div(extent.cols / kBlock, kQuantizeBlocks)),
  }));
  QuantizeParams params{};
  params.a = reinterpret_cast<const uint16_t*>(a.data);
  params.a_stride = a.stride;
  params.rows = a.rows;
  params.blocks = a.cols / kBlock;
  params.codes = codes.data;
  params.scales = scales;
  return params;
}

dim3 quantize_grid(const QuantizeParams& params) {
  return {static_cast<unsigned>(ceil_div(params.rows, kQuantizeRows)),
          static_cast<unsigned>(ceil_div(params.blocks, kQuantizeBlocks)), 1};
}

}  // namespace mxproof
