// The memory of the emulated device: allocations with guard pages around them, filled with poison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "emulator/machine/global_memory.hpp"
#include "emulator/runtime/outcome.hpp"
#include "emulator/watch/written_bytes.hpp"

namespace mxproof::emulator {

/// Byte that fresh allocations are full of: NaN in bf16, f16, f32, f64, e8m0 and fp8, a huge number as an
/// index. A program that uses memory it has not written gets no zeros here.
inline constexpr int kFreshByte = 0xff;

enum class MemoryKind {
  device,           ///< hipMalloc
  host,             ///< hipHostMalloc: pinned, and visible to kernels
  managed,          ///< hipMallocManaged
  registered_host,  ///< the program's own memory, after hipHostRegister
  variable,         ///< a __device__ variable; lives in its module's image
};

/// One stretch of memory that kernels may touch.
struct Block {
  uint64_t base = 0;
  uint64_t size = 0;  ///< Bytes.
  MemoryKind kind = MemoryKind::device;
  unsigned flags = 0;                       ///< As given to the call that made it.
  std::shared_ptr<WrittenBytes> written{};  ///< Which bytes have been written; nullptr: nobody keeps track.
};

class DeviceMemory {
 public:
  /// Reported by hipMemGetInfo: an MI355X has 288 GiB, but never more than the host has.
  uint64_t total_bytes() const;
  uint64_t free_bytes() const;

  /// New memory, page aligned, between guard gaps that nothing may touch. `size` 0 gives nullptr.
  /// Errors: hipErrorOutOfMemory.
  Outcome allocate(size_t size, MemoryKind kind, unsigned flags, void** pointer);
  /// Frees what `allocate` gave, of one of two kinds of calls: hipFree takes device and managed memory,
  /// hipHostFree host memory. nullptr is fine. Errors: hipErrorInvalidValue.
  Outcome free_device(void* pointer);
  Outcome free_host(void* pointer);

  /// Lets kernels see memory that is not ours: a registered host range or a variable.
  Outcome add(void* base, size_t size, MemoryKind kind, unsigned flags, const char* label);
  /// Takes it back. Errors: false when there is none of that kind at `base`.
  bool remove(const void* base, MemoryKind kind);

  /// The block that holds `pointer`; nullptr when there is none.
  const Block* find(const void* pointer) const;

  /// From now on, keeps track of which bytes of what hipMalloc gives have been written: for `uninit-global`.
  void track_written(bool on) { tracks_written_ = on; }
  /// The host has filled [base, base + bytes), or copied [from, from + bytes) to it. Memory that nobody keeps
  /// track of is ignored.
  void note_fill(const void* base, size_t bytes) const;
  void note_copy(const void* base, const void* from, size_t bytes) const;

  /// What launches see.
  const GlobalMemory& global() const { return global_; }

 private:
  Outcome free(void* pointer, bool from_host);

  bool tracks_written_ = false;
  std::map<uint64_t, Block> blocks_;  // by base
  uint64_t allocated_bytes_ = 0;
  GlobalMemory global_;
};

}  // namespace mxproof::emulator
