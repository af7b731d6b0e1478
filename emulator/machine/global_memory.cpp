#include "emulator/machine/global_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulator/isa/host_address.hpp"

namespace mxproof::emulator {
namespace {

bool base_above(uint64_t address, const Allocation& allocation) {
  return address < allocation.base;
}

}  // namespace

const Allocation* find_allocation(const AllocationTable& table, uint64_t address) {
  const auto after = std::upper_bound(table.begin(), table.end(), address, base_above);
  if (after == table.begin()) return nullptr;
  const Allocation& candidate = *std::prev(after);
  return candidate.holds(address, 1) ? &candidate : nullptr;
}

Status GlobalMemory::add(const void* base, uint64_t size, std::string label,
                         std::shared_ptr<WrittenBytes> written) {
  const auto address = device(base);
  if (size == 0 || address + size < address) {
    return Status::bad_input(
        fmt::format("an allocation of {} bytes at 0x{:x} is not possible", size, address));
  }
  const std::scoped_lock lock(mutex_);
  const auto at = std::upper_bound(table_->begin(), table_->end(), address, base_above);
  const bool hits_next = at != table_->end() && at->base < address + size;
  const bool hits_previous = at != table_->begin() && std::prev(at)->base + std::prev(at)->size > address;
  if (hits_next || hits_previous) {
    const Allocation& other = hits_next ? *at : *std::prev(at);
    return Status::bad_input(
        fmt::format("an allocation of {} bytes at 0x{:x} overlaps that of {} bytes at 0x{:x}", size, address,
                    other.size, other.base));
  }
  auto table = std::make_shared<AllocationTable>(*table_);
  table->insert(table->begin() + (at - table_->begin()),
                Allocation{address, size, std::move(label), std::move(written)});
  table_ = std::move(table);
  return {};
}

Status GlobalMemory::remove(const void* base) {
  const auto address = device(base);
  const std::scoped_lock lock(mutex_);
  const Allocation* found = find_allocation(*table_, address);
  if (found == nullptr || found->base != address) {
    return Status::bad_input(fmt::format("no allocation starts at 0x{:x}", address));
  }
  auto table = std::make_shared<AllocationTable>(*table_);
  table->erase(table->begin() + (found - table_->data()));
  table_ = std::move(table);
  return {};
}

std::optional<Allocation> GlobalMemory::find(uint64_t address) const {
  const auto table = snapshot();
  const Allocation* found = find_allocation(*table, address);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::shared_ptr<const AllocationTable> GlobalMemory::snapshot() const {
  const std::scoped_lock lock(mutex_);
  return table_;
}

}  // namespace mxproof::emulator
