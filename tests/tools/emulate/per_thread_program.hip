// A program built with -fgpu-default-stream=per-thread: HIP's header and clang then call hipMemcpy_spt and so
// on.
#include <cstdio>

#include "tests/emulator/runtime/device_code.hpp"

MX_GLOBAL void add(int* data, int amount) {
  data[__builtin_amdgcn_workitem_id_x()] += amount;
}

int main() {
  int values[4] = {1, 2, 3, 4};
  int* data = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&data), sizeof(values)) != hipSuccess) return 1;
  if (hipMemset(data, 0, sizeof(values)) != hipSuccess) return 2;
  if (hipMemcpyAsync(data, values, sizeof(values), hipMemcpyHostToDevice, nullptr) != hipSuccess) return 3;
  add<<<1, 4>>>(data, 10);
  if (hipStreamQuery(nullptr) != hipSuccess || hipStreamSynchronize(nullptr) != hipSuccess) return 4;

  // The default stream can be captured here: it is the thread's own.
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  if (hipStreamBeginCapture(hipStreamPerThread, hipStreamCaptureModeGlobal) != hipSuccess) return 5;
  add<<<1, 4>>>(data, 100);
  if (hipStreamEndCapture(hipStreamPerThread, &graph) != hipSuccess) return 6;
  if (hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0) != hipSuccess) return 7;
  if (hipGraphLaunch(exec, hipStreamPerThread) != hipSuccess) return 8;

  if (hipMemcpy(values, data, sizeof(values), hipMemcpyDeviceToHost) != hipSuccess) return 9;
  std::printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
}
