// Stands in for the machine until emulator/machine builds: memory works, launches are refused.
#include <algorithm>

#include "emulator/machine/launch.hpp"

namespace mxproof::emulator {

Status GlobalMemory::add(const void* base, uint64_t size, std::string label) {
  const std::scoped_lock lock(mutex_);
  auto table = std::make_shared<AllocationTable>(*table_);
  const auto address = reinterpret_cast<uint64_t>(base);
  if (size == 0 || address + size < address) return Status::bad_input("allocation of no or too many bytes");
  const auto next = std::ranges::upper_bound(*table, address, {}, &Allocation::base);
  if (next != table->end() && next->base < address + size)
    return Status::bad_input("allocation overlaps the next");
  if (next != table->begin() && std::prev(next)->base + std::prev(next)->size > address) {
    return Status::bad_input("allocation overlaps the one before");
  }
  table->insert(next, {address, size, std::move(label)});
  table_ = std::move(table);
  return {};
}

Status GlobalMemory::remove(const void* base) {
  const std::scoped_lock lock(mutex_);
  auto table = std::make_shared<AllocationTable>(*table_);
  const auto address = reinterpret_cast<uint64_t>(base);
  if (std::erase_if(*table, [&](const Allocation& a) { return a.base == address; }) == 0) {
    return Status::bad_input("no allocation starts there");
  }
  table_ = std::move(table);
  return {};
}

const char* instruction_class_name(InstructionClass) {
  return "";
}

Expected<LaunchReport> launch(const CodeObject&, const Kernel&, const LaunchConfig&, const GlobalMemory&) {
  return Status::refused("the machine is not built");
}

}  // namespace mxproof::emulator
