// Where a wrong cell is: bytes in memory, lanes and registers of the matrix core.
#pragma once

#include "tools/explain/evidence.hpp"
#include "tools/explain/explanation.hpp"

namespace mxproof::explain {

/// Both values of a cell, its bytes, and its lane and register in both MFMA shapes. For a block: the first
/// element that differs, with its byte and nibble, and the bytes of the block's scale in both layouts.
WrongCell locate(const Evidence& evidence, Coord cell);

}  // namespace mxproof::explain
