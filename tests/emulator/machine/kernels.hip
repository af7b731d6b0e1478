// Small kernels for the machine's tests, without HIP's headers: every line here is what the test needs.
#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared)) static

typedef int Codes __attribute__((ext_vector_type(4)));
typedef int Codes8 __attribute__((ext_vector_type(8)));
typedef float Tile __attribute__((ext_vector_type(4)));

static __attribute__((device)) inline int lane() {
  return __builtin_amdgcn_workitem_id_x();
}
static __attribute__((device)) inline int group() {
  return __builtin_amdgcn_workgroup_id_x();
}
static __attribute__((device)) inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/// One 16x16 tile a group; operands lie as the matrix instruction wants them: `steps` records of 64 lanes.
KERNEL fp4_tile(const Codes* a, const Codes* b, const int* scale_a, const int* scale_b, Tile* d, int steps) {
  Tile acc = {0, 0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    const int at = (group() * steps + i) * 64 + lane();
    const Codes8 wide_a = __builtin_shufflevector(a[at], a[at], 0, 1, 2, 3, -1, -1, -1, -1);
    const Codes8 wide_b = __builtin_shufflevector(b[at], b[at], 0, 1, 2, 3, -1, -1, -1, -1);
    acc = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(wide_a, wide_b, acc, 4, 4, 1, scale_a[at], 2,
                                                           scale_b[at]);
  }
  d[group() * 64 + lane()] = acc;
}

/// Sums 256 values a group through LDS.
KERNEL block_sum(const float* in, float* out) {
  SHARED float partial[256];
  partial[lane()] = in[group() * 256 + lane()];
  barrier();
  for (int step = 128; step > 0; step /= 2) {
    if (lane() < step) partial[lane()] += partial[lane() + step];
    barrier();
  }
  if (lane() == 0) out[group()] = partial[0];
}

/// out[i] = in[i] / by[i], with the last work-item out of range when the sizes say so.
KERNEL divide(const float* in, const float* by, float* out, int n) {
  const int i = group() * 64 + lane();
  if (i < n) out[i] = in[i] / by[i];
}

/// Never ends.
KERNEL spin(int* flag) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, 4) == 0) __builtin_amdgcn_s_sleep(1);
}

/// The work-group's ids, the work-item's ids, and its place in the whole grid.
KERNEL ids(int* out, int width) {
  const int x = __builtin_amdgcn_workitem_id_x();
  const int y = __builtin_amdgcn_workitem_id_y();
  const int z = __builtin_amdgcn_workitem_id_z();
  const int gx = __builtin_amdgcn_workgroup_id_x();
  const int gy = __builtin_amdgcn_workgroup_id_y();
  const int gz = __builtin_amdgcn_workgroup_id_z();
  const int flat = ((gz * 2 + z) * 6 + gy * 3 + y) * width + gx * 5 + x;
  out[flat] = x | y << 4 | z << 8 | gx << 12 | gy << 16 | gz << 20;
}

/// 20 bytes of arguments, which the compiler loads in pieces of 16.
KERNEL fill_between(float* out, int from, int to, float value) {
  if (lane() >= from && lane() < to) out[lane()] = value;
}

/// How deep it goes nobody can tell.
static __attribute__((device, noinline)) int fibonacci_of(int n) {
  return n < 2 ? n : fibonacci_of(n - 1) + fibonacci_of(n - 2);
}
KERNEL fibonacci(int* out) {
  out[lane()] = fibonacci_of(lane() % 12);
}

/// Registers that the compiler does not know of, because it does not read assembly text.
KERNEL beyond_vgprs(int* out) {
  asm volatile("v_mov_b32 v200, 1.0");
  out[lane()] = 1;
}
KERNEL beyond_agprs(int* out) {
  asm volatile("v_accvgpr_write_b32 a100, 1.0");
  out[lane()] = 1;
}
