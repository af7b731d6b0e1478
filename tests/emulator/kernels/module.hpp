// A code object loaded with hipModuleLoad, and launches with arguments of any types.
#pragma once

#include <array>
#include <string>

#include "tests/emulator/runtime/api_helpers.hpp"

namespace mxproof::emulator {

class Module {
 public:
  explicit Module(const std::string& path) {
    EXPECT_EQ(hipModuleLoad(&module_, path.c_str()), hipSuccess) << path;
  }
  ~Module() { EXPECT_EQ(hipModuleUnload(module_), hipSuccess); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// Launches and waits. Arguments have the kernel's types exactly.
  template <class... Args>
  void run(const char* kernel, dim3 grid, unsigned block, unsigned lds, Args... args) const {
    hipFunction_t function = nullptr;
    HIP_OK(hipModuleGetFunction(&function, module_, kernel));
    std::array<void*, sizeof...(Args)> pointers = {static_cast<void*>(&args)...};
    HIP_OK(hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block, 1, 1, lds, nullptr, pointers.data(),
                                 nullptr));
    HIP_OK(hipDeviceSynchronize());
  }

 private:
  hipModule_t module_ = nullptr;
};

}  // namespace mxproof::emulator
