#include "emulator/runtime/device_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

namespace mxproof::emulator {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kGuard = 64 << 10;  // on either side; wide enough for a row's stride
constexpr uint64_t kHbmBytes = uint64_t{288} << 30;

uint64_t mapped_bytes(uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

uint64_t host_bytes() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
}

const char* label_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "hipMalloc";
    case MemoryKind::host:
      return "hipHostMalloc";
    case MemoryKind::managed:
      return "hipMallocManaged";
    case MemoryKind::registered_host:
      return "hipHostRegister";
    case MemoryKind::variable:
      return "variable";
  }
  return "";
}

}  // namespace

uint64_t DeviceMemory::total_bytes() const {
  return std::min(kHbmBytes, host_bytes());
}
uint64_t DeviceMemory::free_bytes() const {
  return total_bytes() - std::min(total_bytes(), allocated_bytes_);
}

Outcome DeviceMemory::allocate(size_t size, MemoryKind kind, unsigned flags, void** pointer) {
  *pointer = nullptr;
  if (size == 0) return {};
  if (size > free_bytes()) {
    return {hipErrorOutOfMemory, fmt::format("{} bytes asked for, {} free", size, free_bytes())};
  }
  // The whole range first without access, then the middle opened: what is left on both sides is the guard.
  const uint64_t reserved = mapped_bytes(size) + 2 * kGuard;
  void* range = ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return {hipErrorOutOfMemory, "the host has no address space left"};
  void* base = static_cast<std::byte*>(range) + kGuard;
  if (::mprotect(base, mapped_bytes(size), PROT_READ | PROT_WRITE) != 0) {
    ::munmap(range, reserved);
    return {hipErrorOutOfMemory, fmt::format("the host gives no {} bytes", size)};
  }
  std::memset(base, kFreshByte, size);
  MXPROOF_RETURN_IF_NOT_OK(add(base, size, kind, flags, label_of(kind)));
  allocated_bytes_ += size;
  *pointer = base;
  return {};
}

Outcome DeviceMemory::free_device(void* pointer) {
  return free(pointer, false);
}
Outcome DeviceMemory::free_host(void* pointer) {
  return free(pointer, true);
}

Outcome DeviceMemory::free(void* pointer, bool from_host) {
  if (pointer == nullptr) return {};
  const auto found = blocks_.find(reinterpret_cast<uint64_t>(pointer));
  if (found == blocks_.end()) return invalid(fmt::format("{} is not the start of an allocation", pointer));
  const Block block = found->second;
  const bool fits = from_host ? block.kind == MemoryKind::host
                              : block.kind == MemoryKind::device || block.kind == MemoryKind::managed;
  if (!fits) return invalid(fmt::format("{} comes from {}", pointer, label_of(block.kind)));
  const bool removed = remove(pointer, block.kind);
  assert(removed);
  (void)removed;
  allocated_bytes_ -= block.size;
  ::munmap(static_cast<std::byte*>(pointer) - kGuard, mapped_bytes(block.size) + 2 * kGuard);
  return {};
}

Outcome DeviceMemory::add(void* base, size_t size, MemoryKind kind, unsigned flags, const char* label) {
  // The host may write to all other kinds without our seeing it.
  const bool is_tracked = tracks_written_ && kind == MemoryKind::device;
  auto written = is_tracked ? std::make_shared<WrittenBytes>(size) : nullptr;
  Status status = global_.add(base, size, label, written);
  if (!status.ok()) return invalid(status.message());
  const auto address = reinterpret_cast<uint64_t>(base);
  blocks_[address] = {.base = address, .size = size, .kind = kind, .flags = flags, .written = written};
  return {};
}

bool DeviceMemory::remove(const void* base, MemoryKind kind) {
  const auto found = blocks_.find(reinterpret_cast<uint64_t>(base));
  if (found == blocks_.end() || found->second.kind != kind) return false;
  const Status status = global_.remove(base);
  assert(status.ok() && "both tables hold the same blocks");
  blocks_.erase(found);
  return true;
}

void DeviceMemory::note_fill(const void* base, size_t bytes) const {
  const Block* block = find(base);
  if (block == nullptr || block->written == nullptr) return;
  block->written->mark(reinterpret_cast<uint64_t>(base) - block->base, bytes);
}

void DeviceMemory::note_copy(const void* base, const void* from, size_t bytes) const {
  const Block* to = find(base);
  if (to == nullptr || to->written == nullptr) return;
  const Block* source = find(from);
  if (source == nullptr || source->written == nullptr) return note_fill(base, bytes);
  to->written->mark_as(reinterpret_cast<uint64_t>(base) - to->base, *source->written,
                       reinterpret_cast<uint64_t>(from) - source->base, bytes);
}

const Block* DeviceMemory::find(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return nullptr;
  const Block& block = std::prev(next)->second;
  return address - block.base < block.size ? &block : nullptr;
}

}  // namespace mxproof::emulator
