// The operands of one product, on the host and on the device, and what its outputs must be.
#pragma once

#include <cstdint>
#include <string>

#include "common/matrix.hpp"
#include "common/policy/quant_policy.hpp"
#include "common/status.hpp"
#include "optimized/device/buffer.hpp"
#include "optimized/plan/plan.hpp"
#include "reference/gemm.hpp"

namespace mxproof {

/// A [M, K] and B [N, K] as bf16, before anything is quantised.
struct Operands {
  GemmShape shape;
  Matrix<Bf16> a;
  Matrix<Bf16> b;
};

/// Standard normal operands; refuses shapes that do not fit into the memory of this machine.
Expected<Operands> make_operands(const GemmShape& shape, uint64_t seed);

/// Operands from files; the error names the file.
Expected<Operands> load_operands(const std::string& a_file, const std::string& b_file);

/// The exact product of the quantised operands; B quantised, for the device.
struct ReferenceCase {
  Mxfp4Matrix b;
  reference::GemmReference expected;
};
/// `splits`: into how many parts a path may split K, which decides the models and the bound outside the exact
/// zone. `accumulation`: the chip's own model, where a settings file says it.
Expected<ReferenceCase> make_reference(const Operands& operands, const QuantPolicy& policy, int splits,
                                       std::optional<MfmaAccumulation> accumulation = {});

/// Everything that a path may read, in device memory. Padding of the scales holds 0xff (NaN): nothing may
/// depend on it. B is left out of `codes_16x16` where that layout does not take its shape.
class DeviceOperands {
 public:
  static Expected<DeviceOperands> upload(const Operands& operands, const Mxfp4Matrix& b);

  /// Pointers for a plan, with `c` as its output.
  GemmPointers pointers(const Operand& c) const;

 private:
  DeviceBuffer a_;
  DeviceBuffer b_codes_;
  DeviceBuffer b_shuffled_;
  DeviceBuffer b_scales_;
};

}  // namespace mxproof
