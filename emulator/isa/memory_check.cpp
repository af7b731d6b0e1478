#include "emulator/isa/memory_check.hpp"

#include <fmt/format.h>

namespace mxproof::emulator {

bool find_range(Wave& w, uint64_t address) {
  const Allocation* found = find_allocation(*w.group->memory, address);
  for (const Allocation& own : w.group->own_memory) {
    if (found == nullptr && own.holds(address, 1)) found = &own;
  }
  if (found == nullptr) return false;
  w.last_base = found->base;
  w.last_end = found->base + found->size;
  return true;
}

void fault_address(Wave& w, const Instruction& inst, int lane, uint64_t address, uint64_t bytes) {
  std::string text = lane < 0 ? fmt::format("accesses {} bytes at 0x{:x}", bytes, address)
                              : fmt::format("lane {} accesses {} bytes at 0x{:x}", lane, bytes, address);
  const AllocationTable& table = *w.group->memory;
  const Allocation* below = nullptr;
  const auto look_at = [&](const Allocation& allocation) {
    if (allocation.base <= address && (below == nullptr || below->base < allocation.base))
      below = &allocation;
  };
  for (const Allocation& allocation : table) look_at(allocation);
  // What is not the program's own is worth naming only nearby.
  constexpr uint64_t kNearby = 4096;
  for (const Allocation& own : w.group->own_memory)
    if (address - own.base < own.size + kNearby) look_at(own);
  if (below == nullptr) {
    text += ", which is in no allocation";
  } else if (below->holds(address, 1)) {
    text += fmt::format(", which reaches past the end of the allocation of {} bytes at 0x{:x}", below->size,
                        below->base);
  } else {
    text += fmt::format(", {} bytes past the end of the allocation of {} bytes at 0x{:x}",
                        address - (below->base + below->size), below->size, below->base);
  }
  if (below != nullptr && !below->label.empty()) text += " (" + below->label + ")";
  w.fault(inst, std::move(text), {FaultKind::bounds, lane, address});
}

void fault_offset(Wave& w, const Instruction& inst, int lane, uint64_t offset, uint64_t bytes,
                  const char* what, uint64_t size) {
  const FaultKind kind = std::string_view(what) == "LDS" ? FaultKind::lds_bounds : FaultKind::bounds;
  w.fault(inst,
          fmt::format("lane {} accesses {} bytes at {} offset {}, but there are {} bytes", lane, bytes, what,
                      offset, size),
          {kind, lane, offset});
}

}  // namespace mxproof::emulator
