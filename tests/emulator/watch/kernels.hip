// Kernels with one fault each, and the same mended: NAME and NAME_mended. One work-item is one lane, 64 a
// wave. Inline assembly keeps the compiler from mending them itself.
#define KERNEL extern "C" __attribute__((global))
#define SHARED __attribute__((shared))

namespace {

typedef unsigned u32;
typedef int Int4 __attribute__((ext_vector_type(4)));
typedef int Int8 __attribute__((ext_vector_type(8)));
typedef float Float4 __attribute__((ext_vector_type(4)));

__attribute__((device)) inline int lane_of_group() {
  return static_cast<int>(__builtin_amdgcn_workitem_id_x());
}
__attribute__((device)) inline int group_of_grid() {
  return static_cast<int>(__builtin_amdgcn_workgroup_id_x());
}
/// What __syncthreads is made of.
__attribute__((device)) inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

}  // namespace

// ---- bounds: stores `out[first + i]`, which a launch makes fault by choosing `first` ----
KERNEL void bounds(int* out, int first) {
  out[first + lane_of_group()] = 1;
}
KERNEL void bounds_mended(int* out, int first) {
  out[first * 0 + lane_of_group()] = 1;
}

// ---- lds-bounds ----
KERNEL void lds_bounds(int* out, int) {
  SHARED static int values[64];
  values[lane_of_group()] = 2;
  u32 address = static_cast<u32>(lane_of_group()) * 4;
  int value;
  asm volatile("ds_read_b32 %0, %1 offset:16\ns_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(address));
  out[lane_of_group()] = value + values[lane_of_group()];
}
KERNEL void lds_bounds_mended(int* out, int) {
  SHARED static int values[64];
  values[lane_of_group()] = 2;
  u32 address = static_cast<u32>(lane_of_group()) * 4;
  int value;
  asm volatile("ds_read_b32 %0, %1\ns_waitcnt lgkmcnt(0)" : "=v"(value) : "v"(address));
  out[lane_of_group()] = value + values[lane_of_group()];
}

// ---- loop ----
KERNEL void loop(int* out, int) {
  asm volatile("again_%=:\ns_nop 0\ns_nop 1\ns_branch again_%=" ::);
  out[lane_of_group()] = 1;
}
KERNEL void loop_mended(int* out, int) {
  asm volatile("s_movk_i32 s40, 100\nagain_%=:\ns_nop 0\ns_sub_u32 s40, s40, 1\ns_cbranch_scc0 again_%=" ::
                   : "s40", "scc");
  out[lane_of_group()] = 1;
}

// ---- uninit-register: VGPR, AGPR, SGPR, and lanes that EXEC left out ----
KERNEL void uninit_vgpr(int* out, int) {
  int value;
  asm volatile("v_add_u32_e32 %0, 1, v40" : "=v"(value)::"v40");
  out[lane_of_group()] = value;
}
KERNEL void uninit_vgpr_mended(int* out, int) {
  int value;
  asm volatile("v_mov_b32 v40, 2\nv_add_u32_e32 %0, 1, v40" : "=v"(value)::"v40");
  out[lane_of_group()] = value;
}
KERNEL void uninit_agpr(int* out, int) {
  int value;
  asm volatile("v_accvgpr_read_b32 v40, a5\nv_add_u32_e32 %0, 1, v40" : "=v"(value)::"v40", "a5");
  out[lane_of_group()] = value;
}
KERNEL void uninit_agpr_mended(int* out, int) {
  int value;
  asm volatile("v_accvgpr_write_b32 a5, 3\ns_nop 3\nv_accvgpr_read_b32 v40, a5\nv_add_u32_e32 %0, 1, v40"
               : "=v"(value)::"v40", "a5");
  out[lane_of_group()] = value;
}
KERNEL void uninit_sgpr(int* out, int) {
  int value;
  asm volatile("s_add_u32 %0, s50, 1" : "=s"(value)::"s50", "scc");
  out[lane_of_group()] = value;
}
KERNEL void uninit_sgpr_mended(int* out, int) {
  int value;
  asm volatile("s_mov_b32 s50, 4\ns_add_u32 %0, s50, 1" : "=s"(value)::"s50", "scc");
  out[lane_of_group()] = value;
}
KERNEL void uninit_lanes(int* out, int) {
  int value;
  asm volatile(
      "s_mov_b64 s[40:41], exec\ns_mov_b64 exec, 0xffffffff\nv_mov_b32 v40, 5\ns_mov_b64 exec, s[40:41]\n"
      "v_add_u32_e32 %0, 1, v40"
      : "=v"(value)::"v40", "s40", "s41");
  out[lane_of_group()] = value;
}
KERNEL void uninit_lanes_mended(int* out, int) {
  int value;
  asm volatile(
      "s_mov_b64 s[40:41], exec\ns_mov_b64 exec, 0xffffffff\nv_mov_b32 v40, 5\ns_not_b64 exec, exec\n"
      "v_mov_b32 v40, 6\ns_mov_b64 exec, s[40:41]\nv_add_u32_e32 %0, 1, v40"
      : "=v"(value)::"v40", "s40", "s41", "scc");
  out[lane_of_group()] = value;
}

/// A scalar that nobody wrote, by way of a vector register.
KERNEL void uninit_by_copy(int* out, int) {
  int value;
  asm volatile("v_mov_b32 v40, s50\nv_add_u32_e32 %0, 1, v40" : "=v"(value)::"v40", "s50");
  out[lane_of_group()] = value;
}
KERNEL void uninit_by_copy_mended(int* out, int) {
  int value;
  asm volatile("s_mov_b32 s50, 5\nv_mov_b32 v40, s50\nv_add_u32_e32 %0, 1, v40" : "=v"(value)::"v40", "s50");
  out[lane_of_group()] = value;
}
/// The upper dword of a 64-bit sum, one of whose upper dwords nobody wrote; the mended kernel uses the lower
/// one.
KERNEL void uninit_wide(int* out, int) {
  int value;
  asm volatile(
      "v_mov_b32 v40, 5\nv_mad_u64_u32 v[42:43], s[40:41], v40, v40, v[40:41]\nv_add_u32_e32 %0, 1, v43"
      : "=v"(value)::"v40", "v41", "v42", "v43", "s40", "s41");
  out[lane_of_group()] = value;
}
KERNEL void uninit_wide_mended(int* out, int) {
  int value;
  asm volatile(
      "v_mov_b32 v40, 5\nv_mad_u64_u32 v[42:43], s[40:41], v40, v40, v[40:41]\nv_lshlrev_b64 v[42:43], 1, "
      "v[42:43]\n"
      "v_lshl_add_u64 v[42:43], v[42:43], 1, v[42:43]\nv_add_u32_e32 %0, 1, v42"
      : "=v"(value)::"v40", "v41", "v42", "v43", "s40", "s41");
  out[lane_of_group()] = value;
}

// ---- uninit-lds: half of it is written ----
KERNEL void uninit_lds(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  if (i < 32) values[i] = i;
  barrier();
  out[i] = *(volatile int*)&values[i] + 1;
}
KERNEL void uninit_lds_mended(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  values[i] = i;
  barrier();
  out[i] = *(volatile int*)&values[i] + 1;
}

/// One byte of each dword is written and only that one is used: clean.
KERNEL void uninit_byte_mended(int* out, int) {
  SHARED static int values[64];
  const u32 at = (u32)(unsigned long long)&values[lane_of_group()];
  int value;
  asm volatile(
      "ds_write_b8 %1, %2 offset:1\ns_waitcnt lgkmcnt(0)\nds_read_u8 %0, %1 offset:1\ns_waitcnt lgkmcnt(0)"
      : "=&v"(value)
      : "v"(at), "v"(lane_of_group())
      : "memory");
  out[lane_of_group()] = value + 1;
}
KERNEL void uninit_byte(int* out, int) {
  SHARED static int values[64];
  const u32 at = (u32)(unsigned long long)&values[lane_of_group()];
  int value;
  asm volatile("ds_write_b8 %1, %2 offset:1\ns_waitcnt lgkmcnt(0)\nds_read_b32 %0, %1\ns_waitcnt lgkmcnt(0)"
               : "=&v"(value)
               : "v"(at), "v"(lane_of_group())
               : "memory");
  out[lane_of_group()] = value + 1;
}

/// A scaled matrix instruction takes one byte of a scale register: the one that is written, or another.
template <int kByte>
__attribute__((device)) inline void scaled_product(int* out) {
  SHARED static int values[64];
  const int i = lane_of_group();
  const u32 at = (u32)(unsigned long long)&values[i];
  int scale;
  asm volatile("ds_write_b8 %1, %2\ns_waitcnt lgkmcnt(0)\nds_read_b32 %0, %1\ns_waitcnt lgkmcnt(0)"
               : "=&v"(scale)
               : "v"(at), "v"(127)
               : "memory");
  const Int8 codes = {i, i, i, i, 0, 0, 0, 0};
  const Float4 product =
      __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(codes, codes, Float4{}, 4, 4, 0, 127, kByte, scale);
  out[i] = static_cast<int>(product.x);
}
KERNEL void uninit_scale(int* out, int) {
  scaled_product<1>(out);
}
KERNEL void uninit_scale_mended(int* out, int) {
  scaled_product<0>(out);
}

// ---- uninit-global: out[64 .. 127] is read, which the launch has written or not ----
KERNEL void uninit_global(int* out, int) {
  const int i = lane_of_group();
  out[i] = out[64 + i] + 1;
}
KERNEL void uninit_global_mended(int* out, int) {
  const int i = lane_of_group();
  out[64 + i] = i;
  out[i] = out[64 + i] + 1;
}
KERNEL void uninit_scalar_load(const int* out, int) {
  int value;
  asm volatile("s_load_dword %0, %1, 0x104\ns_waitcnt lgkmcnt(0)" : "=s"(value) : "s"(out));
  const_cast<int*>(out)[lane_of_group()] = value;
}

// ---- wait: the four counters' worth of it ----
KERNEL void wait_global(int* out, int) {
  const int i = lane_of_group();
  out[i] = i;
  int value;
  asm volatile("global_load_dword v40, %1, %2\nv_add_u32_e32 %0, 1, v40\ns_waitcnt vmcnt(0)"
               : "=v"(value)
               : "v"(i * 4), "s"(out)
               : "v40");
  out[i] = value;
}
KERNEL void wait_global_mended(int* out, int) {
  const int i = lane_of_group();
  out[i] = i;
  int value;
  asm volatile("global_load_dword v40, %1, %2\ns_waitcnt vmcnt(0)\nv_add_u32_e32 %0, 1, v40"
               : "=v"(value)
               : "v"(i * 4), "s"(out)
               : "v40");
  out[i] = value;
}
KERNEL void wait_overwritten(int* out, int) {
  const int i = lane_of_group();
  out[i] = i;
  int value;
  asm volatile("global_load_dword v40, %1, %2\nv_mov_b32 v40, 7\ns_waitcnt vmcnt(0)\nv_add_u32_e32 %0, 1, v40"
               : "=v"(value)
               : "v"(i * 4), "s"(out)
               : "v40");
  out[i] = value;
}
KERNEL void wait_lds(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  values[i] = i;
  int value;
  asm volatile("ds_read_b32 v40, %1\nv_add_u32_e32 %0, 1, v40\ns_waitcnt lgkmcnt(0)"
               : "=v"(value)
               : "v"((u32)(unsigned long long)&values[i])
               : "v40", "memory");
  out[i] = value;
}
KERNEL void wait_lds_mended(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  values[i] = i;
  int value;
  asm volatile("ds_read_b32 v40, %1\ns_waitcnt lgkmcnt(0)\nv_add_u32_e32 %0, 1, v40"
               : "=v"(value)
               : "v"((u32)(unsigned long long)&values[i])
               : "v40", "memory");
  out[i] = value;
}
KERNEL void wait_scalar(int* out, int) {
  int value;
  asm volatile("s_load_dword s40, %1, 0x0\ns_add_u32 %0, s40, 1\ns_waitcnt lgkmcnt(0)"
               : "=s"(value)
               : "s"(out)
               : "s40", "scc");
  out[lane_of_group()] = value;
}
KERNEL void wait_scalar_mended(int* out, int) {
  int value;
  asm volatile("s_load_dword s40, %1, 0x0\ns_waitcnt lgkmcnt(0)\ns_add_u32 %0, s40, 1"
               : "=s"(value)
               : "s"(out)
               : "s40", "scc");
  out[lane_of_group()] = value;
}
/// A load straight to LDS, read before it has arrived.
KERNEL void wait_direct(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  out[i] = i;
  values[i] = 0;
  int value;
  asm volatile(
      "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b32 m0, %3\ns_nop 0\nglobal_load_lds_dword %1, %2\n"
      "ds_read_b32 %0, %4\ns_waitcnt vmcnt(0) lgkmcnt(0)"
      : "=&v"(value)
      : "v"(i * 4), "s"(out), "s"((u32)(unsigned long long)&values[0]),
        "v"((u32)(unsigned long long)&values[i])
      : "memory");
  out[i] = value;
}
KERNEL void wait_direct_mended(int* out, int) {
  SHARED static int values[64];
  const int i = lane_of_group();
  out[i] = i;
  values[i] = 0;
  int value;
  asm volatile(
      "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b32 m0, %3\ns_nop 0\nglobal_load_lds_dword %1, %2\n"
      "s_waitcnt vmcnt(0)\nds_read_b32 %0, %4\ns_waitcnt lgkmcnt(0)"
      : "=&v"(value)
      : "v"(i * 4), "s"(out), "s"((u32)(unsigned long long)&values[0]),
        "v"((u32)(unsigned long long)&values[i])
      : "memory");
  out[i] = value;
}

// ---- lds-race: 128 work-items, each reads what one of the other wave wrote ----
KERNEL void lds_race(int* out, int) {
  SHARED static volatile int values[128];
  const int i = lane_of_group();
  values[i] = 0;
  barrier();
  values[i] = i;
  out[i] = values[127 - i];
}
KERNEL void lds_race_mended(int* out, int) {
  SHARED static volatile int values[128];
  const int i = lane_of_group();
  values[i] = i;
  barrier();
  out[i] = values[127 - i];
}
/// A barrier, but the store has not been waited for when it comes.
KERNEL void lds_race_late(int* out, int) {
  SHARED static int values[128];
  const u32 i = static_cast<u32>(lane_of_group());
  const u32 base = (u32)(unsigned long long)&values[0];
  int value;
  asm volatile("ds_write_b32 %1, %2\ns_barrier\nds_read_b32 %0, %3\ns_waitcnt lgkmcnt(0)"
               : "=&v"(value)
               : "v"(base + 4 * i), "v"(i), "v"(base + 4 * (127 - i))
               : "memory");
  out[i] = value;
}
KERNEL void lds_race_late_mended(int* out, int) {
  SHARED static int values[128];
  const u32 i = static_cast<u32>(lane_of_group());
  const u32 base = (u32)(unsigned long long)&values[0];
  int value;
  asm volatile(
      "ds_write_b32 %1, %2\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 %0, %3\ns_waitcnt lgkmcnt(0)"
      : "=&v"(value)
      : "v"(base + 4 * i), "v"(i), "v"(base + 4 * (127 - i))
      : "memory");
  out[i] = value;
}
/// Atomics of two waves do not race.
KERNEL void lds_atomics(int* out, int) {
  SHARED static int sum;
  if (lane_of_group() == 0) sum = 0;
  barrier();
  __hip_atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  barrier();
  out[lane_of_group()] = sum;
}

// ---- global-race: work-groups store to the same place ----
KERNEL void global_race(int* out, int) {
  out[lane_of_group()] = group_of_grid();
}
KERNEL void global_race_mended(int* out, int) {
  out[group_of_grid() * 64 + lane_of_group()] = group_of_grid();
}
/// 16 bytes a lane.
using int2v [[clang::ext_vector_type(2)]] = int;
using int4v [[clang::ext_vector_type(4)]] = int;
KERNEL void global_race_wide(int4v* out, int) {
  out[lane_of_group()] = group_of_grid();
}
KERNEL void global_race_wide_mended(int4v* out, int) {
  out[group_of_grid() * 64 + lane_of_group()] = group_of_grid();
}
/// The first work-group stores the second half of the 16 bytes that the others read.
KERNEL void global_race_half(int4v* out, int) {
  const int i = lane_of_group();
  auto* halves = reinterpret_cast<int2v*>(out);
  if (group_of_grid() == 0)
    halves[2 * i + 1] = i;
  else
    out[64 * group_of_grid() + i] = out[i];
}
KERNEL void global_race_half_mended(int4v* out, int) {
  const int i = lane_of_group();
  auto* halves = reinterpret_cast<int2v*>(out);
  if (group_of_grid() == 0)
    halves[2 * i + 1] = i;
  else
    out[64 * group_of_grid() + i] = halves[2 * i].xyxy;
}
/// The others read with a scalar load what the first work-group stores.
KERNEL void global_race_scalar(int* out, int) {
  if (group_of_grid() == 0) {
    if (lane_of_group() == 0) out[0] = 7;
    return;
  }
  int value;
  asm volatile("s_load_dword %0, %1, 0x0\ns_waitcnt lgkmcnt(0)" : "=s"(value) : "s"(out));
  out[64 * group_of_grid() + lane_of_group()] = value;
}
KERNEL void global_race_scalar_mended(int* out, int) {
  if (group_of_grid() == 0) {
    if (lane_of_group() == 0) out[0] = 7;
    return;
  }
  int value;
  asm volatile("s_load_dword %0, %1, 0x4\ns_waitcnt lgkmcnt(0)" : "=s"(value) : "s"(out));
  out[64 * group_of_grid() + lane_of_group()] = value;
}
/// Bytes of one dword, by different work-groups.
KERNEL void global_bytes(unsigned char* out, int) {
  if (lane_of_group() == 0) out[group_of_grid()] = 1;
}
/// The last work-group to take a ticket reads what all have stored.
KERNEL void global_ticket(int* out, int groups) {
  const int i = lane_of_group();
  out[64 + group_of_grid() * 64 + i] = i;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  int ticket = 0;
  if (i == 0) ticket = __hip_atomic_fetch_add(out, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  ticket = __builtin_amdgcn_readfirstlane(ticket);
  if (ticket != groups - 1) return;
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  int sum = 0;
  for (int group = 0; group < groups; ++group) sum += out[64 + group * 64 + i];
  out[64 + groups * 64 + i] = sum;
}

/// All work-groups read, the last one stores there.
KERNEL void global_readers(int* out, int groups) {
  const int i = lane_of_group();
  const int value = out[64 + i];
  out[128 + group_of_grid() * 64 + i] = value;
  if (group_of_grid() == groups - 1) out[64 + i] = 0;
}

// ---- barrier: two waves at different barriers ----
KERNEL void barrier_apart(int* out, int) {
  const int i = lane_of_group();
  if (__builtin_amdgcn_readfirstlane(i) < 64) {
    asm volatile("s_nop 1\ns_barrier" ::: "memory");
  } else {
    asm volatile("s_nop 2\ns_barrier" ::: "memory");
  }
  out[i] = i;
}
KERNEL void barrier_apart_mended(int* out, int) {
  const int i = lane_of_group();
  asm volatile("s_nop 1\ns_barrier" ::: "memory");
  out[i] = i;
}
/// Wave 1 ends before the barrier.
KERNEL void barrier_ended(int* out, int) {
  const int i = lane_of_group();
  if (__builtin_amdgcn_readfirstlane(i) >= 64) return;
  asm volatile("s_barrier" ::: "memory");
  out[i] = i;
}

// ---- alignment ----
KERNEL void align_atomic(int* out, int) {
  const int i = lane_of_group();
  asm volatile("global_atomic_add %0, %1, %2 offset:2\ns_waitcnt vmcnt(0)" ::"v"(i * 4), "v"(i), "s"(out)
               : "memory");
}
KERNEL void align_atomic_mended(int* out, int) {
  const int i = lane_of_group();
  asm volatile("global_atomic_add %0, %1, %2 offset:4\ns_waitcnt vmcnt(0)" ::"v"(i * 4), "v"(i), "s"(out)
               : "memory");
}
KERNEL void align_scalar(int* out, int) {
  int value;
  asm volatile(
      "s_add_u32 s40, %1, 2\ns_addc_u32 s41, %2, 0\ns_load_dword %0, s[40:41], 0x0\ns_waitcnt lgkmcnt(0)"
      : "=s"(value)
      : "s"((u32)(unsigned long long)out), "s"((u32)((unsigned long long)out >> 32))
      : "s40", "s41", "scc");
  out[lane_of_group()] = value;
}
KERNEL void align_scalar_mended(int* out, int) {
  int value;
  asm volatile(
      "s_add_u32 s40, %1, 4\ns_addc_u32 s41, %2, 0\ns_load_dword %0, s[40:41], 0x0\ns_waitcnt lgkmcnt(0)"
      : "=s"(value)
      : "s"((u32)(unsigned long long)out), "s"((u32)((unsigned long long)out >> 32))
      : "s40", "s41", "scc");
  out[lane_of_group()] = value;
}

// ---- strict-alignment ----
KERNEL void align_global(int* out, int) {
  const int i = lane_of_group();
  asm volatile("global_store_dword %0, %1, %2 offset:2\ns_waitcnt vmcnt(0)" ::"v"(i * 4), "v"(i), "s"(out)
               : "memory");
}
KERNEL void align_global_mended(int* out, int) {
  const int i = lane_of_group();
  asm volatile("global_store_dword %0, %1, %2 offset:4\ns_waitcnt vmcnt(0)" ::"v"(i * 4), "v"(i), "s"(out)
               : "memory");
}
KERNEL void align_lds(int* out, int) {
  SHARED static int values[128];
  const int i = lane_of_group();
  values[2 * i] = i;
  values[2 * i + 1] = i;
  long long value;
  asm volatile("s_waitcnt lgkmcnt(0)\nds_read_b64 %0, %1\ns_waitcnt lgkmcnt(0)"
               : "=v"(value)
               : "v"((u32)(unsigned long long)&values[i])
               : "memory");
  out[i] = static_cast<int>(value);
}
KERNEL void align_lds_mended(int* out, int) {
  SHARED static int values[128];
  const int i = lane_of_group();
  values[2 * i] = i;
  values[2 * i + 1] = i;
  long long value;
  asm volatile("s_waitcnt lgkmcnt(0)\nds_read_b64 %0, %1\ns_waitcnt lgkmcnt(0)"
               : "=v"(value)
               : "v"((u32)(unsigned long long)&values[2 * i])
               : "memory");
  out[i] = static_cast<int>(value);
}

// ---- descriptor: 32 records, 64 lanes ----
KERNEL void descriptor(int* out, int) {
  const int i = lane_of_group();
  const auto rsrc = __builtin_amdgcn_make_buffer_rsrc(out, 0, 32 * 4, 0x00027000);
  __builtin_amdgcn_raw_buffer_store_b32(i, rsrc, i * 4, 0, 0);
}
KERNEL void descriptor_mended(int* out, int) {
  const int i = lane_of_group();
  const auto rsrc = __builtin_amdgcn_make_buffer_rsrc(out, 0, 64 * 4, 0x00027000);
  __builtin_amdgcn_raw_buffer_store_b32(i, rsrc, i * 4, 0, 0);
}

// ---- counts ----
/// A 16-byte load, 4-byte loads 128 and 8 bytes apart; LDS accesses with known bank conflicts.
KERNEL void counts(int* out, int) {
  SHARED static int values[64 * 64];
  const int i = lane_of_group();
  const u32 row = (u32)(unsigned long long)&values[64 * i];
  Int4 wide;
  int narrow;
  int close;
  int same;
  asm volatile(
      "global_load_dwordx4 %0, %4, %5\nglobal_load_dword %1, %6, %5\nglobal_load_dword %2, %8, %5\n"
      "ds_write_b32 %7, %6\n"
      "s_waitcnt vmcnt(0) lgkmcnt(0)\nds_read_b32 %3, %7\ns_waitcnt lgkmcnt(0)"
      : "=&v"(wide), "=&v"(narrow), "=&v"(close), "=&v"(same)
      : "v"(i * 16), "s"(out), "v"(i * 128), "v"(row), "v"(i * 8)
      : "memory");
  out[i] = wide.x + narrow + close + same;
}
