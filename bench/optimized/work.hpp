// Something that can be timed on a device, and whose output can then be verified.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/run/row_label.hpp"
#include "common/status.hpp"
#include "optimized/platform/runtime.hpp"

namespace mxproof::bench {

class Work {
 public:
  virtual ~Work() = default;

  /// How many sets of operands there are to rotate over.
  virtual int sets() const = 0;
  /// Puts one call on the stream, with the operands and the output of `set`. Neither allocates nor waits.
  virtual Status enqueue(int set, hipStream_t stream) const = 0;
  /// Kernels of one call.
  virtual int launches() const = 0;
  /// Fills every output with poison.
  virtual Status poison() = 0;
  /// The set whose output is verified in full. A hot loop uses this one alone.
  virtual int checked_set() const = 0;
  /// Verifies what the calls since poison() left behind: the checked set in full, and with `all_sets` that
  /// every other output was written too.
  virtual Check check(bool all_sets) const = 0;
};

}  // namespace mxproof::bench
