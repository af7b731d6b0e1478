// The functions that the registry lists, one a cause; see registry.cpp for what each means.
#pragma once

#include <vector>

#include "tools/explain/cause.hpp"

namespace mxproof::explain {

using Propose = void(const Clues& clues, std::vector<Candidate>& out);

// element_order.cpp
Propose propose_nibble_order, propose_ggml_order, propose_code_shift;
// decoder.cpp
Propose propose_decoder_table, propose_fitted_decoder, propose_half_of_pairs;
// layouts.cpp
Propose propose_code_layout, propose_scale_layout, propose_row_stride;
// scale_index.cpp, scale_value.cpp, scale_byte.cpp
Propose propose_scale_block, propose_scale_row, propose_scale_operand, propose_e8m0_bias,
    propose_e8m0_special, propose_scale_ignored, propose_scale_byte;
// quantiser_rules.cpp
Propose propose_scale_rule, propose_tie_rule, propose_amax, propose_edge_policy, propose_value_stride,
    propose_not_quantised;
// accumulation.cpp
Propose propose_low_precision_sum, propose_narrowing, propose_output_format;
// k_range.cpp
Propose propose_k_range, propose_k_blocks, propose_k_leak;
// overflow.cpp
Propose propose_index_overflow;
// placement.cpp, moved_tiles.cpp
Propose propose_transposed, propose_output_stride, propose_result_map, propose_moved_tiles;
// constant.cpp
Propose propose_factor, propose_unwritten, propose_stale;
// lanes.cpp
Propose propose_operand_lane, propose_operand_register;

}  // namespace mxproof::explain
