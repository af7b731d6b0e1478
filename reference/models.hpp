// Models of how hardware may accumulate the terms of one output in f32. No public source settles what a
// gfx950 scaled MFMA does inside, so every candidate has a name, and a result outside the exact zone says
// which of them it equals.
//
// One instruction adds the terms of 4 blocks (16x16x128) or 2 blocks (32x32x64) to its accumulator C:
//
//   sequential   C = rne(C + T_b), b ascending
//   fused        C = rne(C + T_0 + ... exactly)
//   truncating   terms aligned to the largest of C, T_0, ... and cut toward zero 24 bits below it, C floored
//   there,
//                summed exactly, one rne (as published for CDNA3's f16 MFMA)
//   tree         C = rne(C + rne(rne(T_0 + T_1) + ...))
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/policy/chip_settings.hpp"
#include "reference/block_terms.hpp"

namespace mxproof::reference {

using Accumulation = MfmaAccumulation;
std::string_view name_of(Accumulation accumulation);

struct AccumulationModel {
  Accumulation accumulation = Accumulation::sequential;
  int blocks_per_instruction = 4;  ///< 4: 16x16x128, 2: 32x32x64.
  int64_t split_k =
      1;  ///< Contiguous parts of whole instructions, as even as possible, added in f32 in order.

  /// "fused/16x16x128", with "/split-4" when K is split; "sequential" does not depend on the instruction's
  /// shape.
  std::string name() const;
};

/// Every model for a K split into `split_k` parts, and for one that is not split; those of one kind where the
/// chip's own is known.
std::vector<AccumulationModel> accumulation_models(int64_t split_k, std::optional<Accumulation> known = {});

/// The f32 that the model gives for the terms of one output.
float accumulate(const AccumulationModel& model, std::span<const BlockTerm> terms);

}  // namespace mxproof::reference
