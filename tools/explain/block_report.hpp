// The report per block of quantised data: in what way each block differs from the one that is right.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/explain/evidence.hpp"

namespace mxproof::explain {

/// How a block differs. The first class that applies counts.
enum class BlockClass {
  equal,             ///< Same bytes.
  nan,               ///< One of the two scale bytes is 255, or both and the codes differ.
  sign_of_zero,      ///< Only signs of zeros differ.
  same_value,        ///< Another scale byte and other codes, for the same 32 values.
  tie,               ///< Same scale; every code that differs belongs to an element exactly between two codes.
  saturated,         ///< Scale lower; elements are clipped that are not clipped in the right block.
  factor,            ///< Same codes, another scale: all values are wrong by one power of two.
  scale_off_by_one,  ///< The scale byte is off by one and the codes fit it.
  permuted,          ///< The same codes in another order.
  rounding,          ///< Same scale; codes differ by one step.
  other,
};
inline constexpr int kBlockClassCount = 11;
std::string_view name_of(BlockClass c);

struct BlockExample {
  Coord block;
  BlockClass what = BlockClass::other;
};

struct BlockReport {
  int64_t blocks = 0;
  int64_t count[kBlockClassCount] = {};
  std::map<int, int64_t> scale_delta;  ///< got - wanted over all blocks, NaN bytes left out.
  int64_t clipped_wanted = 0;          ///< Blocks whose maximum is clipped in the right data ...
  int64_t clipped_got = 0;             ///< ... and in the data under question; only when values are known.
  bool values_known = false;
  std::vector<BlockExample> examples;  ///< The first few of each class.

  int64_t of(BlockClass c) const { return count[static_cast<int>(c)]; }
};

BlockClass classify_block(const Evidence& evidence, Coord block);
BlockReport report_blocks(const Evidence& evidence);

/// The report in lines of text.
std::vector<std::string> describe(const BlockReport& report);

}  // namespace mxproof::explain
