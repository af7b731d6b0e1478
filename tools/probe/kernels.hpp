// The kernels of `mxproof probe`: one wave of 64 lanes each, around one instruction.
//
//   in   rows of 64 dwords, one a register: row r of lane l is in[64 * r + l]
//   out  likewise
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mxproof::chip_probe {

inline constexpr int kLanes = 64;

/// Rows in, rows out; what each row is, kernels.hip says.
enum class KernelId : uint8_t {
  mfma_scale_fp4,
  mfma_scale_fp4_mode_up,  ///< MODE asks for rounding up.
  mfma_scale_fp8,
  mfma_f16,
  cvt_to_fp4,
  cvt_from_fp4,
  cvt_sr_fp8,
  cvt_2xpk16,
  dot2_f16,
  add_f32,
  permlane32_swap,
  transcendentals,
  ds_read_tr,
  load_to_lds,
};

struct KernelInfo {
  KernelId id{};
  std::string_view name;  ///< The kernel's symbol.
  int rows_in = 0;
  int rows_out = 0;
};

/// In the order of KernelId.
std::span<const KernelInfo> kernels();
inline const KernelInfo& info_of(KernelId id) {
  return kernels()[static_cast<size_t>(id)];
}

/// Lanes whose EXEC bit permlane32_swap clears: one of each of two pairs.
inline constexpr uint64_t kSwapInactive = uint64_t{1} << 8 | uint64_t{1} << 41;

/// What HIP's launch call takes for the kernel.
const void* kernel_function(KernelId id);

}  // namespace mxproof::chip_probe
