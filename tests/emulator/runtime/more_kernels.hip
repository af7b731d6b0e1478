// A second translation unit with device code: it has a fat binary of its own.
#include "tests/emulator/runtime/device_code.hpp"
#include "tests/emulator/runtime/program_kernels.hpp"

namespace mxproof::emulator::program {

MX_GLOBAL void squares(int* out) {
  const int i = static_cast<int>(__builtin_amdgcn_workitem_id_x());
  out[i] = i * i;
}

void launch_squares(int* out, hipStream_t stream) {
  squares<<<1, 64, 0, stream>>>(out);
}

}  // namespace mxproof::emulator::program
