// All causes, likeliest first. To add one: a function in causes/, a line in causes/propose.hpp, a line here,
// and a fault in corpus/ that shows it.
#include <array>

#include "tools/explain/cause.hpp"
#include "tools/explain/causes/propose.hpp"

namespace mxproof::explain {
namespace {

constexpr Cause kCauses[] = {
    {"unwritten", "outputs hold one fixed number: the fill from before the run, zero or another", false,
     propose_unwritten},
    {"index-overflow", "an index or offset wraps at 2^16 or 2^32", false, propose_index_overflow},
    {"stale", "outputs are those of an earlier call", false, propose_stale},
    {"constant-factor", "every output is the same multiple of the right one", false, propose_factor},
    {"transposed", "the output lies transposed", true, propose_transposed},
    {"nibble-order", "the two codes of a byte are exchanged", true, propose_nibble_order},
    {"ggml-order", "GGML's split order of a block was taken for pairs, or pairs for it", true,
     propose_ggml_order},
    {"scale-layout", "block scales lie in one layout and were read as another", true, propose_scale_layout},
    {"code-layout", "codes lie in one layout and were read as another", true, propose_code_layout},
    {"scale-rule", "the quantiser chooses block scales by another rule", true, propose_scale_rule},
    {"tie-rule", "the quantiser rounds elements by another rule", true, propose_tie_rule},
    {"block-maximum", "the quantiser takes its block maximum over the wrong elements", true, propose_amax},
    {"edge-policy", "zeros, NaN, Inf, subnormals or input precision are handled differently", false,
     propose_edge_policy},
    {"not-quantised", "an operand was multiplied without being quantised", true, propose_not_quantised},
    {"scale-of-wrong-block", "a block takes the scale of another block", true, propose_scale_block},
    {"scale-of-wrong-row",
     "a row takes the scales of another row; names batch-stride too: stacked matrices, one of them padded",
     true, propose_scale_row},
    {"scale-of-wrong-operand", "an operand takes the scales of the other", true, propose_scale_operand},
    {"e8m0-bias", "scale bytes are taken with another bias than 127", false, propose_e8m0_bias},
    {"scale-ignored", "scales are not applied", true, propose_scale_ignored},
    {"e8m0-special", "a scale byte is taken for another number: 0, 255, small ones, sign, reciprocal", false,
     propose_e8m0_special},
    {"scale-byte", "one scale byte is wrong", false, propose_scale_byte},
    {"low-precision-sum", "sums are kept in bf16 or f16 instead of f32", true, propose_low_precision_sum},
    {"narrowing", "the f32 result is not rounded to nearest even bf16", true, propose_narrowing},
    {"output-format", "the output is of another type than it is read as", false, propose_output_format},
    {"k-range-missing",
     "a part of K is left out or counted twice (split-K, tails); names k-range-doubled too", true,
     propose_k_range},
    {"k-blocks", "some blocks of K, not side by side, are left out or have another weight", false,
     propose_k_blocks},
    {"k-leak", "sums run past the end of K into the next row", false, propose_k_leak},
    {"row-stride", "rows of codes or scales are further apart, or closer, than the reader thinks", false,
     propose_row_stride},
    {"row-stride", "rows of an operand are further apart, or closer, than its quantiser thinks", false,
     propose_value_stride},
    {"output-stride", "rows of the output were stored at another distance", false, propose_output_stride},
    {"result-map", "results were stored as if an MFMA's registers lay otherwise", false, propose_result_map},
    {"half-of-pair", "one code of every byte is lost", true, propose_half_of_pairs},
    {"code-block-shift", "codes and scales are a block apart", false, propose_code_shift},
    {"operand-register", "one register of an operand is wrong", false, propose_operand_register},
    {"operand-lane", "one lane of an operand is wrong", false, propose_operand_lane},
    {"decoder-table", "codes are decoded by a wrong table", false, propose_decoder_table},
    {"moved-tiles", "rows, columns or tiles of right numbers lie in the wrong place", false,
     propose_moved_tiles},
    {"decoder-table", "codes are decoded by a wrong table, found from the output", false,
     propose_fitted_decoder},
};

}  // namespace

std::span<const Cause> all_causes() {
  return kCauses;
}

}  // namespace mxproof::explain
