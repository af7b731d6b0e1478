#include "tests/emulator/runtime/program_kernels.hpp"

#include "tests/emulator/runtime/device_code.hpp"

namespace mxproof::emulator::program {
namespace {

constexpr int kLanes = 64;

MX_DEVICE int global_index() {
  return static_cast<int>(__builtin_amdgcn_workgroup_id_x()) * kLanes +
         static_cast<int>(__builtin_amdgcn_workitem_id_x());
}

}  // namespace

MX_DEVICE int total = 40;
MX_CONSTANT int table[4] = {1, 2, 3, 4};

MX_GLOBAL void scale(float* out, const float* in, float factor, int count) {
  const int i = global_index();
  if (i < count) out[i] = in[i] * factor;
}

MX_GLOBAL void line(float* out, Line by_value) {
  const int i = global_index();
  out[i] =
      by_value.slope * static_cast<float>(i) + by_value.offset[i % 3] + static_cast<float>(by_value.count);
}

MX_GLOBAL void grid(unsigned* out, unsigned width, unsigned height) {
  const unsigned x = __builtin_amdgcn_workgroup_id_x();
  const unsigned y = __builtin_amdgcn_workgroup_id_y();
  const unsigned z = __builtin_amdgcn_workgroup_id_z();
  const auto* hidden = (const unsigned __attribute__((address_space(4)))*)__builtin_amdgcn_implicitarg_ptr();
  const unsigned index = (z * height + y) * width + x;
  out[2 * index] = x + 10 * y + 100 * z;
  out[2 * index + 1] = hidden[0] * hidden[1] * hidden[2];  // hidden_block_count_{x,y,z}
}

MX_GLOBAL void reverse(int* data) {
  extern MX_SHARED int staged[];
  const int lane = static_cast<int>(__builtin_amdgcn_workitem_id_x());
  staged[lane] = data[global_index()];
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  data[global_index()] = staged[kLanes - 1 - lane];
}

MX_GLOBAL void add_total(int amount) {
  if (global_index() == 0) total += amount + table[0] - 1;
}

MX_GLOBAL void store(int* out, long index) {
  out[index] = 7;
}

void launch_scale(float* out, const float* in, float factor, int count, hipStream_t stream) {
  scale<<<(count + kLanes - 1) / kLanes, kLanes, 0, stream>>>(out, in, factor, count);
}
void launch_line(float* out, Line by_value, hipStream_t stream) {
  line<<<1, kLanes, 0, stream>>>(out, by_value);
}
void launch_grid(unsigned* out, dim3 size, hipStream_t stream) {
  grid<<<size, 1, 0, stream>>>(out, size.x, size.y);
}
void launch_reverse(int* data, int groups, size_t dynamic_bytes, hipStream_t stream) {
  reverse<<<groups, kLanes, dynamic_bytes, stream>>>(data);
}
void launch_add_total(int amount, hipStream_t stream) {
  add_total<<<2, kLanes, 0, stream>>>(amount);
}
void launch_store(int* out, long index, hipStream_t stream) {
  store<<<1, 1, 0, stream>>>(out, index);
}

const void* scale_kernel() {
  return reinterpret_cast<const void*>(&scale);
}
const void* reverse_kernel() {
  return reinterpret_cast<const void*>(&reverse);
}
const void* total_variable() {
  return &total;
}
const void* table_variable() {
  return &table;
}

}  // namespace mxproof::emulator::program
