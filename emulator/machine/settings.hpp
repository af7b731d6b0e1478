// Named switches for what public sources leave open about the chip. The defaults are the project's; `mxproof
// probe` on real hardware says which are right.
#pragma once

#include <cstdint>

namespace mxproof::emulator {

/// How one MFMA instruction adds its block sums T_b and its C operand. numerics.md calls these the models.
enum class MfmaAccumulation : uint8_t {
  sequential,  ///< acc = rne32(acc + T_b), b ascending, starting from C.
  fused,       ///< C + sum of all T_b exactly, rounded once to nearest even.
  truncating,  ///< Terms aligned to the largest and cut to 24 fraction bits (C floored), summed, rounded
               ///< once.
  tree,        ///< T_b chained among themselves first, each sum rounded, then C added.
};

/// What v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin and v_cos return. The chip is within about 1 ulp, not
/// exact.
enum class Transcendentals : uint8_t {
  nearest,    ///< The double result rounded once to nearest even.
  ulp_below,  ///< `nearest`, one ulp nearer zero: shows whether a kernel's result leans on the last bit.
};

/// Which K an 8-bit element of a scaled MFMA stands for. Narrower formats are contiguous: K = 32 * group +
/// element.
enum class Mfma8BitOrder : uint8_t {
  interleaved,  ///< K = K_total / 2 * (element / 16) + 16 * group + element % 16.
  contiguous,   ///< As the narrower formats.
};

struct Settings {
  MfmaAccumulation mfma_accumulation = MfmaAccumulation::sequential;
  Transcendentals transcendentals = Transcendentals::nearest;
  Mfma8BitOrder mfma_8bit_order = Mfma8BitOrder::interleaved;
};

}  // namespace mxproof::emulator
