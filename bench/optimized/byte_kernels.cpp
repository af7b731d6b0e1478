// Benches of the kernels that quantise A and of those that bring B into another layout.
#include "bench/optimized/byte_work.hpp"
#include "bench/optimized/geometry.hpp"
#include "bench/optimized/kernel_work.hpp"
#include "optimized/quantize/quantize.hpp"
#include "optimized/shuffle/shuffle.hpp"

namespace mxproof::bench {

WorkResult make_quantize_work(OperandsPtr operands) {
  const Mxfp4Matrix& expected = operands->quantized_a();
  const Operands& o = *operands;
  const Geometry g(o.shape());
  return ByteWork::make(std::move(operands), {{"codes", expected.codes, {}}, {"scales", expected.scales, {}}},
                        [&o, g](int set, const std::vector<DeviceBuffer>& out) {
                          return quantize_launch(a_view(o, set), {out[0].as(), g.a_codes},
                                                 {out[1].as(), g.a_row_scales});
                        });
}

WorkResult make_quantize_shuffle_work(OperandsPtr operands) {
  const Mxfp4Matrix& expected = operands->quantized_a();
  const Operands& o = *operands;
  const Geometry g(o.shape());
  return ByteWork::make(
      std::move(operands),
      {{"codes", expected.codes, {}},
       {"scales", in_layout(expected.scales, g.a_scales, kPoison), defined_bytes(g.a_scales)}},
      [&o, g](int set, const std::vector<DeviceBuffer>& out) {
        return quantize_shuffle_launch(a_view(o, set), {out[0].as(), g.a_codes}, {out[1].as(), g.a_scales});
      });
}

WorkResult make_shuffle_scales_work(OperandsPtr operands) {
  const Operands& o = *operands;
  const Geometry g(o.shape());
  return ByteWork::make(std::move(operands), {{"scales", in_layout(o.checked_b().scales, g.b_scales, 0), {}}},
                        [&o, g](int set, const std::vector<DeviceBuffer>& out) {
                          return shuffle_scales_launch(b_row_scales_view(o, set), {out[0].as(), g.b_scales});
                        });
}

WorkResult make_unshuffle_scales_work(OperandsPtr operands) {
  const Operands& o = *operands;
  const Geometry g(o.shape());
  return ByteWork::make(std::move(operands), {{"scales", o.checked_b().scales, {}}},
                        [&o, g](int set, const std::vector<DeviceBuffer>& out) {
                          return unshuffle_scales_launch(b_scales_view(o, set),
                                                         {out[0].as(), g.b_row_scales});
                        });
}

WorkResult make_preshuffle_codes_work(OperandsPtr operands) {
  const Operands& o = *operands;
  const Geometry g(o.shape());
  if (!Codes16x16::accepts(g.b_codes.logical())) {
    return Status::refused("codes_16x16 needs N a multiple of 16 and K of 64");
  }
  const Codes16x16 layout(g.b_codes.logical());
  return ByteWork::make(std::move(operands), {{"codes", in_layout(o.checked_b().codes, layout, 0), {}}},
                        [&o, layout](int set, const std::vector<DeviceBuffer>& out) {
                          return preshuffle_codes_launch(b_codes_view(o, set), {out[0].as(), layout});
                        });
}

}  // namespace mxproof::bench
