// B in the three forms in which the routes read it, on the device.
#pragma once

#include "common/matrix.hpp"
#include "common/status.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/plan/plan.hpp"

namespace mxproof {

class Weights {
 public:
  /// Uploads `plain` [N, K] and makes the shuffled forms on the device with shuffle_scales and
  /// preshuffle_codes. Where N or K does not fit `codes_16x16`, b_shuffled stays empty and the routes that
  /// read it refuse the shape. All buffers start as `fill`, so padding holds that; scale padding is then
  /// zeroed by shuffle_scales.
  static Expected<Weights> upload(const Mxfp4Matrix& plain, uint8_t fill = kPoison);

  /// Quantises bf16 [N, K], K a multiple of 32, on the device and goes on as above.
  static Expected<Weights> quantize(MatrixView<const Bf16> values, uint8_t fill = kPoison);

  /// Fills b_codes, b_shuffled and b_scales of `pointers`.
  void set(GemmPointers& pointers) const;

  const DeviceBuffer& codes() const { return codes_; }            ///< codes_row_major
  const DeviceBuffer& row_scales() const { return row_scales_; }  ///< scale_row_major
  const DeviceBuffer& shuffled() const { return shuffled_; }      ///< codes_16x16
  const DeviceBuffer& scales() const { return scales_; }          ///< scale_32x8, rows padded to 256

 private:
  Weights() = default;
  /// The shuffled forms from codes_ and row_scales_.
  Status shuffle(int64_t n, int64_t k, uint8_t fill);

  DeviceBuffer codes_;
  DeviceBuffer row_scales_;
  DeviceBuffer shuffled_;
  DeviceBuffer scales_;
};

}  // namespace mxproof
