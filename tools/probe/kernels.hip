// One instruction a kernel. Builtins where the compiler must put the waits that the chip needs, which it does
// not look for inside of assembly text.
#include "optimized/platform/device.hpp"
#include "tools/probe/kernels.hpp"

namespace mxproof::chip_probe {
namespace {

template <class T, int N>
using Vector = T __attribute__((ext_vector_type(N)));
using Half2 = Vector<_Float16, 2>;
template <class T>
using Local = __attribute__((address_space(3))) T;

__device__ uint32_t load(const uint32_t* in, int row) {
  return in[row * kLanes + static_cast<int>(threadIdx.x)];
}
__device__ float load_float(const uint32_t* in, int row) {
  return __builtin_bit_cast(float, load(in, row));
}
__device__ void store(uint32_t* out, int row, uint32_t value) {
  out[row * kLanes + static_cast<int>(threadIdx.x)] = value;
}
__device__ void store(uint32_t* out, int row, float value) {
  store(out, row, __builtin_bit_cast(uint32_t, value));
}
template <int N>
__device__ Vector<int, N> load_vector(const uint32_t* in, int row) {
  Vector<int, N> vector;
  for (int i = 0; i < N; ++i) vector[i] = static_cast<int>(load(in, row + i));
  return vector;
}
__device__ Vector<float, 4> load_tile(const uint32_t* in, int row) {
  return __builtin_bit_cast(Vector<float, 4>, load_vector<4>(in, row));
}
__device__ void store_tile(uint32_t* out, Vector<float, 4> tile) {
  for (int i = 0; i < 4; ++i) store(out, i, tile[i]);
}

/// A: rows 0..3, B: 4..7, C: 8..11, scales of A: 12, of B: 13.
__device__ Vector<float, 4> scaled_fp4(const uint32_t* in) {
  constexpr int kFp4 = 4;
  Vector<int, 8> a{};
  Vector<int, 8> b{};
  for (int i = 0; i < 4; ++i) {
    a[i] = static_cast<int>(load(in, i));
    b[i] = static_cast<int>(load(in, 4 + i));
  }
  return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, load_tile(in, 8), kFp4, kFp4, 0,
                                                          static_cast<int>(load(in, 12)), 0,
                                                          static_cast<int>(load(in, 13)));
}

}  // namespace

extern "C" {

__global__ void __launch_bounds__(64) probe_mfma_scale_fp4(const uint32_t* in, uint32_t* out) {
  store_tile(out, scaled_fp4(in));
}

__global__ void __launch_bounds__(64) probe_mfma_scale_fp4_mode_up(const uint32_t* in, uint32_t* out) {
  constexpr int kModeRounding = 1 | (3 << 11);  // hwreg(HW_REG_MODE, 0, 4)
  __builtin_amdgcn_s_setreg(kModeRounding, 5);  // f32, f16 and f64 towards +Inf
  const Vector<float, 4> tile = scaled_fp4(in);
  store_tile(out, tile);
  __builtin_amdgcn_s_setreg(kModeRounding, 0);
}

/// A: rows 0..7, B: 8..15, C: 16..19, scales of A: 20, of B: 21.
__global__ void __launch_bounds__(64) probe_mfma_scale_fp8(const uint32_t* in, uint32_t* out) {
  store_tile(out, __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
                      load_vector<8>(in, 0), load_vector<8>(in, 8), load_tile(in, 16), 0, 0, 0,
                      static_cast<int>(load(in, 20)), 0, static_cast<int>(load(in, 21))));
}

/// A: rows 0..3, B: 4..7, C: 8..11.
__global__ void __launch_bounds__(64) probe_mfma_f16(const uint32_t* in, uint32_t* out) {
  using Half8 = Vector<_Float16, 8>;
  store_tile(out, __builtin_amdgcn_mfma_f32_16x16x32_f16(__builtin_bit_cast(Half8, load_vector<4>(in, 0)),
                                                         __builtin_bit_cast(Half8, load_vector<4>(in, 4)),
                                                         load_tile(in, 8), 0, 0, 0));
}

/// Two f32, the scale, what the destination held before.
__global__ void __launch_bounds__(64) probe_cvt_to_fp4(const uint32_t* in, uint32_t* out) {
  store(out, 0,
        __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(load(in, 3), load_float(in, 0), load_float(in, 1),
                                                 load_float(in, 2), 0));
}

/// Codes, the scale.
__global__ void __launch_bounds__(64) probe_cvt_from_fp4(const uint32_t* in, uint32_t* out) {
  const auto values = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(load(in, 0), load_float(in, 1), 0);
  store(out, 0, values[0]);
  store(out, 1, values[1]);
}

/// An f32, the seed.
__global__ void __launch_bounds__(64) probe_cvt_sr_fp8(const uint32_t* in, uint32_t* out) {
  store(out, 0,
        static_cast<uint32_t>(
            __builtin_amdgcn_cvt_sr_fp8_f32(load_float(in, 0), static_cast<int>(load(in, 1)), 0, 0)));
}

/// What the first source holds sixteen times, the same for the second, the scale; the first dword comes back.
__global__ void __launch_bounds__(64) probe_cvt_2xpk16(const uint32_t* in, uint32_t* out) {
  const Vector<float, 16> first = load_float(in, 0);
  const Vector<float, 16> second = load_float(in, 1);
  const auto codes = __builtin_amdgcn_cvt_scalef32_2xpk16_fp6_f32(first, second, load_float(in, 2));
  store(out, 0, static_cast<uint32_t>(codes[0]));
}

/// Two pairs of f16, C.
__global__ void __launch_bounds__(64) probe_dot2_f16(const uint32_t* in, uint32_t* out) {
  store(out, 0,
        __builtin_amdgcn_fdot2(__builtin_bit_cast(Half2, load(in, 0)), __builtin_bit_cast(Half2, load(in, 1)),
                               load_float(in, 2), false));
}

__global__ void __launch_bounds__(64) probe_add_f32(const uint32_t* in, uint32_t* out) {
  store(out, 0, load_float(in, 0) + load_float(in, 1));
}

/// vdst, vsrc; both come back. EXEC is narrowed around the one instruction.
__global__ void __launch_bounds__(64) probe_permlane32_swap(const uint32_t* in, uint32_t* out) {
  uint32_t d = load(in, 0);
  uint32_t s = load(in, 1);
  uint64_t exec;
  asm volatile(
      "s_mov_b64 %2, exec\n\t"
      "s_mov_b64 exec, %3\n\t"
      "s_nop 7\n\t"
      "v_permlane32_swap_b32 %0, %1\n\t"
      "s_nop 7\n\t"
      "s_mov_b64 exec, %2"
      : "+v"(d), "+v"(s), "=&s"(exec)
      : "s"(~kSwapInactive));
  store(out, 0, d);
  store(out, 1, s);
}

/// One operand; rcp, rsq, sqrt, exp2, log2, and sin and cos of turns come back.
__global__ void __launch_bounds__(64) probe_transcendentals(const uint32_t* in, uint32_t* out) {
  const float x = load_float(in, 0);
  store(out, 0, __builtin_amdgcn_rcpf(x));
  store(out, 1, __builtin_amdgcn_rsqf(x));
  store(out, 2, __builtin_amdgcn_sqrtf(x));
  store(out, 3, __builtin_amdgcn_exp2f(x));
  store(out, 4, __builtin_amdgcn_logf(x));
  store(out, 5, __builtin_amdgcn_sinf(x));
  store(out, 6, __builtin_amdgcn_cosf(x));
}

/// Three dwords a lane go to LDS as they lie; read back by each transposing read: b4 (rows 0, 1), b8 (2, 3),
/// b16 (4, 5), b6 (6 to 8). The first three read 8 bytes a lane, the last 12.
__global__ void __launch_bounds__(64) probe_ds_read_tr(const uint32_t* in, uint32_t* out) {
  __shared__ uint32_t narrow[kLanes * 2];
  __shared__ __attribute__((aligned(16))) uint32_t wide[kLanes * 3];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 3; ++i) wide[3 * lane + i] = load(in, i);
  for (int i = 0; i < 2; ++i) narrow[2 * lane + i] = load(in, i);
  __syncthreads();
  using Int2 = Vector<int, 2>;
  using Int3 = Vector<int, 3>;
  using Short4 = Vector<short, 4>;
  auto* narrow2 = reinterpret_cast<Local<Int2>*>((Local<uint32_t>*)narrow + 2 * lane);
  const Int2 b4 = __builtin_amdgcn_ds_read_tr4_b64_v2i32(narrow2);
  const Int2 b8 = __builtin_amdgcn_ds_read_tr8_b64_v2i32(narrow2);
  const Int2 b16 = __builtin_bit_cast(
      Int2, __builtin_amdgcn_ds_read_tr16_b64_v4i16(reinterpret_cast<Local<Short4>*>(narrow2)));
  const Int3 b6 = __builtin_amdgcn_ds_read_tr6_b96_v3i32(
      reinterpret_cast<Local<Int3>*>((Local<uint32_t>*)wide + 3 * lane));
  for (int i = 0; i < 2; ++i) {
    store(out, i, static_cast<uint32_t>(b4[i]));
    store(out, 2 + i, static_cast<uint32_t>(b8[i]));
    store(out, 4 + i, static_cast<uint32_t>(b16[i]));
  }
  for (int i = 0; i < 3; ++i) store(out, 6 + i, static_cast<uint32_t>(b6[i]));
}

/// Odd lanes load four dwords each straight to LDS, from in + 256 - 4 * lane; then all of LDS comes back,
/// lane l's four in rows 0..3.
__global__ void __launch_bounds__(64) probe_load_to_lds(const uint32_t* in, uint32_t* out) {
  __shared__ __attribute__((aligned(16))) uint32_t lds[kLanes * 4];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 4; ++i) lds[4 * lane + i] = 0xdeadbeef;
  __syncthreads();
  if (lane % 2 == 1) {
    using Global = __attribute__((address_space(1))) uint32_t;
    __builtin_amdgcn_global_load_lds((Global*)const_cast<uint32_t*>(in + 256 - 4 * lane),
                                     (Local<uint32_t>*)lds, 16, 0, 0);
  }
  __syncthreads();
  for (int i = 0; i < 4; ++i) store(out, i, lds[4 * lane + i]);
}

}  // extern "C"

const void* kernel_function(KernelId id) {
  switch (id) {
    case KernelId::mfma_scale_fp4:
      return reinterpret_cast<const void*>(&probe_mfma_scale_fp4);
    case KernelId::mfma_scale_fp4_mode_up:
      return reinterpret_cast<const void*>(&probe_mfma_scale_fp4_mode_up);
    case KernelId::mfma_scale_fp8:
      return reinterpret_cast<const void*>(&probe_mfma_scale_fp8);
    case KernelId::mfma_f16:
      return reinterpret_cast<const void*>(&probe_mfma_f16);
    case KernelId::cvt_to_fp4:
      return reinterpret_cast<const void*>(&probe_cvt_to_fp4);
    case KernelId::cvt_from_fp4:
      return reinterpret_cast<const void*>(&probe_cvt_from_fp4);
    case KernelId::cvt_sr_fp8:
      return reinterpret_cast<const void*>(&probe_cvt_sr_fp8);
    case KernelId::cvt_2xpk16:
      return reinterpret_cast<const void*>(&probe_cvt_2xpk16);
    case KernelId::dot2_f16:
      return reinterpret_cast<const void*>(&probe_dot2_f16);
    case KernelId::add_f32:
      return reinterpret_cast<const void*>(&probe_add_f32);
    case KernelId::permlane32_swap:
      return reinterpret_cast<const void*>(&probe_permlane32_swap);
    case KernelId::transcendentals:
      return reinterpret_cast<const void*>(&probe_transcendentals);
    case KernelId::ds_read_tr:
      return reinterpret_cast<const void*>(&probe_ds_read_tr);
    case KernelId::load_to_lds:
      return reinterpret_cast<const void*>(&probe_load_to_lds);
  }
  return nullptr;
}

}  // namespace mxproof::chip_probe
