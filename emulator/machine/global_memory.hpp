// What a kernel may touch: the allocations of the device. Device address == host address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/status.hpp"

namespace mxproof::emulator {

class WrittenBytes;

/// Bytes [base, base + size) that kernels may read and write.
struct Allocation {
  uint64_t base = 0;
  uint64_t size = 0;  ///< Bytes, at least 1.
  std::string label;  ///< For messages, e.g. "hipMalloc" or a variable's name; may be empty.
  /// Which bytes have been written; nullptr: all of them, or nobody asks.
  std::shared_ptr<WrittenBytes> written{};

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// Allocations in ascending address order, immutable, so that a launch can read it without locks.
using AllocationTable = std::vector<Allocation>;

/// The allocations that launches may touch. It owns no memory: whoever allocates adds, whoever frees removes.
/// Thread safe. A launch sees the table as it was when it started.
class GlobalMemory {
 public:
  /// Adds [base, base + size). Errors: bad_input when size is 0, the range wraps, or it overlaps an
  /// allocation.
  Status add(const void* base, uint64_t size, std::string label = {},
             std::shared_ptr<WrittenBytes> written = nullptr);

  /// Removes the allocation that starts at `base`. Errors: bad_input when there is none.
  Status remove(const void* base);

  /// The allocation that holds `address`, if any.
  std::optional<Allocation> find(uint64_t address) const;

  /// The table now.
  std::shared_ptr<const AllocationTable> snapshot() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const AllocationTable> table_ = std::make_shared<AllocationTable>();
};

/// The entry of `table` that holds `address`; nullptr when none does.
const Allocation* find_allocation(const AllocationTable& table, uint64_t address);

}  // namespace mxproof::emulator
