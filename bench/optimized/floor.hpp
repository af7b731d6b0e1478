// What no implementation can beat on a device: an empty launch, and a kernel that only moves the bytes of a
// product.
#pragma once

#include "bench/optimized/product_work.hpp"

namespace mxproof::bench {

/// One kernel that reads every code and scale byte of B and every byte of A once, folds them with XOR, and
/// writes C. Grid and block are the fastest of a few, timed when it is made. C is verified bit for bit: each
/// thread that writes must have read its share and nothing else.
Expected<std::unique_ptr<Work>> make_stream_floor(std::shared_ptr<const Operands> operands,
                                                  int compute_units);

/// A kernel that does nothing.
std::unique_ptr<Work> make_empty_launch();

}  // namespace mxproof::bench
