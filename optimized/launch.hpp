// One kernel launch, complete with its argument: it can be put on a stream, or made a node of a graph.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "common/status.hpp"
#include "optimized/platform/runtime.hpp"
#include "optimized/registry/kernels.hpp"

namespace mxproof {

/// Every kernel takes exactly one argument, a trivially copyable struct passed by value; a Launch carries a
/// copy.
class Launch {
 public:
  static constexpr size_t kMaxArgumentBytes = 128;

  Launch() = default;  ///< Nothing yet; enqueueing it is an error.

  template <class Params>
  Launch(KernelId kernel, void (*function)(Params), dim3 grid, unsigned threads, const Params& params,
         int dynamic_lds = 0)
      : kernel_(kernel),
        function_(reinterpret_cast<const void*>(function)),
        grid_(grid),
        block_(threads),
        dynamic_lds_(static_cast<unsigned>(dynamic_lds)) {
    static_assert(std::is_trivially_copyable_v<Params> && sizeof(Params) <= kMaxArgumentBytes);
    std::memcpy(argument_.data(), &params, sizeof(Params));
  }

  KernelId kernel() const { return kernel_; }
  dim3 grid() const { return grid_; }    ///< Work-groups.
  dim3 block() const { return block_; }  ///< Threads of a work-group.

  /// Puts the kernel on `stream`. Neither allocates nor waits.
  Status enqueue(hipStream_t stream) const;

  /// The same launch as parameters of a graph node. They point into *this, and HIP copies them when they are
  /// used.
  hipKernelNodeParams node_params() const;

 private:
  KernelId kernel_{};
  const void* function_ = nullptr;
  dim3 grid_;
  dim3 block_;
  unsigned dynamic_lds_ = 0;  ///< bytes, on top of the kernel's own
  alignas(16) mutable std::array<std::byte, kMaxArgumentBytes> argument_{};
  /// HIP wants an array of pointers to arguments; filled when asked for, as *this may have moved.
  mutable std::array<void*, 1> argument_pointers_{};
};

/// The launches of one product, in order: at most three, held in place.
class LaunchSequence {
 public:
  static constexpr size_t kMaxLaunches = 3;

  void push_back(const Launch& launch) {
    assert(size_ < kMaxLaunches);
    launches_[size_++] = launch;
  }
  const Launch* begin() const { return launches_.data(); }
  const Launch* end() const { return launches_.data() + size_; }
  size_t size() const { return size_; }
  const Launch& operator[](size_t i) const { return launches_[i]; }

 private:
  std::array<Launch, kMaxLaunches> launches_;
  size_t size_ = 0;
};

}  // namespace mxproof
