// Kernels of the kinds that people write, for the machine to run as the compiler makes them at -O0, -O1 and
// -O3. No HIP header is needed.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

using uint8_t = unsigned char;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using int64_t = long;
template <class T, int N>
using Vector = T __attribute__((ext_vector_type(N)));
using Tile = Vector<float, 4>;  // a lane's part of a 16x16 result: row 4 * (lane / 16) + i, column lane % 16
using Half8 = Vector<_Float16, 8>;
using Brain8 = Vector<__bf16, 8>;

namespace {

__device__ int lane() {
  return static_cast<int>(__builtin_amdgcn_workitem_id_x());
}
__device__ int group_x() {
  return static_cast<int>(__builtin_amdgcn_workgroup_id_x());
}
__device__ int group_y() {
  return static_cast<int>(__builtin_amdgcn_workgroup_id_y());
}
__device__ void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ float shuffle_down(float value, int by) {
  const int from = 4 * ((lane() + by) & 63);
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(from, __builtin_bit_cast(int, value)));
}
/// Stores a wave's tile of C at (row, column).
__device__ void store_tile(float* c, int64_t row, int64_t column, int64_t n, Tile tile) {
  const int l = lane() & 63;
  for (int i = 0; i < 4; ++i) c[(row + 4 * (l / 16) + i) * n + column + l % 16] = tile[i];
}

/// Not inlined: a call, and for the compiler an unknown number of steps.
__attribute__((noinline)) __device__ uint32_t collatz_steps(uint64_t x) {
  uint32_t steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  return steps;
}

}  // namespace

extern "C" {

/// sums[group] = sum of its 256 values, out of range ones being 0. Waves by shuffles, then LDS.
__global__ void reduce_sum(const float* in, float* sums, int count) {
  __shared__ float partial[4];
  const int i = group_x() * 256 + lane();
  float value = i < count ? in[i] : 0.0F;
  for (int by = 32; by > 0; by /= 2) value += shuffle_down(value, by);
  if (lane() % 64 == 0) partial[lane() / 64] = value;
  barrier();
  if (lane() == 0) sums[group_x()] = partial[0] + partial[1] + partial[2] + partial[3];
}

/// out[column][row] = in[row][column], by tiles of 32 x 32 with a column of padding against bank conflicts.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = lane() % 32;
  for (int y = lane() / 32; y < 32; y += 8) {
    const int row = group_y() * 32 + y;
    const int column = group_x() * 32 + x;
    if (row < rows && column < columns) tile[y][x] = in[row * columns + column];
  }
  barrier();
  for (int y = lane() / 32; y < 32; y += 8) {
    const int row = group_x() * 32 + y;
    const int column = group_y() * 32 + x;
    if (row < columns && column < rows) out[row * rows + column] = tile[x][y];
  }
}

/// A row a group of 64, any number of columns: 2^(log2 e * (x - max)) / sum.
__global__ void softmax(const float* in, float* out, int columns) {
  const float* row = in + group_x() * columns;
  float largest = -__builtin_huge_valf();
  for (int i = lane(); i < columns; i += 64) largest = __builtin_fmaxf(largest, row[i]);
  for (int by = 32; by > 0; by /= 2) largest = __builtin_fmaxf(largest, shuffle_down(largest, by));
  largest = __builtin_bit_cast(float, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, largest)));
  float sum = 0;
  for (int i = lane(); i < columns; i += 64) {
    const float power = __builtin_amdgcn_exp2f((row[i] - largest) * 1.44269504F);
    out[group_x() * columns + i] = power;
    sum += power;
  }
  for (int by = 32; by > 0; by /= 2) sum += shuffle_down(sum, by);
  sum = __builtin_bit_cast(float, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, sum)));
  for (int i = lane(); i < columns; i += 64) out[group_x() * columns + i] /= sum;
}

/// Counts of 64 bins, in LDS first; `seen` counts all values, `last` is the largest index that came by.
__global__ void histogram(const uint8_t* in, uint32_t* bins, uint32_t* seen, int* last, int count) {
  __shared__ uint32_t local[64];
  if (lane() < 64) local[lane()] = 0;
  barrier();
  const int i = group_x() * 256 + lane();
  if (i < count) {
    __hip_atomic_fetch_add(&local[in[i] % 64], 1U, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    __hip_atomic_fetch_max(last, i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
  barrier();
  if (lane() < 64) {
    __hip_atomic_fetch_add(&bins[lane()], local[lane()], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_add(seen, local[lane()], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}

/// Inclusive prefix sums of each group's 256 values, in LDS.
__global__ void scan(const uint32_t* in, uint32_t* out) {
  __shared__ uint32_t values[2][256];
  const int i = lane();
  int now = 0;
  values[now][i] = in[group_x() * 256 + i];
  barrier();
  for (int by = 1; by < 256; by *= 2) {
    values[1 - now][i] = values[now][i] + (i >= by ? values[now][i - by] : 0U);
    now = 1 - now;
    barrier();
  }
  out[group_x() * 256 + i] = values[now][i];
}

/// C [M, N] f32 = A [M, K] x B [N, K]^T in bf16; a wave a 16 x 16 tile, K a multiple of 32.
__global__ void gemm_bf16(const __bf16* a, const __bf16* b, float* c, int n, int k) {
  const int l = lane();
  const __bf16* from_a = a + int64_t{group_y() * 16 + l % 16} * k + 8 * (l / 16);
  const __bf16* from_b = b + int64_t{group_x() * 16 + l % 16} * k + 8 * (l / 16);
  Tile tile = {0, 0, 0, 0};
  for (int at = 0; at < k; at += 32) {
    tile =
        __builtin_amdgcn_mfma_f32_16x16x32_bf16(*reinterpret_cast<const Brain8*>(from_a + at),
                                                *reinterpret_cast<const Brain8*>(from_b + at), tile, 0, 0, 0);
  }
  store_tile(c, group_y() * 16, group_x() * 16, n, tile);
}

/// The same in e4m3.
__global__ void gemm_fp8(const uint8_t* a, const uint8_t* b, float* c, int n, int k) {
  const int l = lane();
  const uint8_t* from_a = a + int64_t{group_y() * 16 + l % 16} * k + 8 * (l / 16);
  const uint8_t* from_b = b + int64_t{group_x() * 16 + l % 16} * k + 8 * (l / 16);
  Tile tile = {0, 0, 0, 0};
  for (int at = 0; at < k; at += 32) {
    tile = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(*reinterpret_cast<const int64_t*>(from_a + at),
                                                      *reinterpret_cast<const int64_t*>(from_b + at), tile, 0,
                                                      0, 0);
  }
  store_tile(c, group_y() * 16, group_x() * 16, n, tile);
}

/// The same in f16 through two LDS buffers that loads fill straight from memory: while two waves multiply out
/// of one, the next 32 of K arrive in the other. A group is 32 x 16, wave w has rows 16 w on; wave 0 loads B
/// for both.
__global__ void gemm_double_buffered(const _Float16* a, const _Float16* b, float* c, int n, int k) {
  __shared__ Half8 tiles[2][3][64];  // buffer; A of wave 0, A of wave 1, B; a lane's 8 elements
  const int wave = __builtin_amdgcn_readfirstlane(lane() / 64);
  const int l = lane() % 64;
  const _Float16* from_a = a + int64_t{group_y() * 32 + wave * 16 + l % 16} * k + 8 * (l / 16);
  const _Float16* from_b = b + int64_t{group_x() * 16 + l % 16} * k + 8 * (l / 16);
  using Global = __attribute__((address_space(1))) void;
  using Local = __attribute__((address_space(3))) void;
  const auto fetch = [&](int buffer, int at) {
    __builtin_amdgcn_global_load_lds((Global*)const_cast<_Float16*>(from_a + at),
                                     (Local*)&tiles[buffer][wave][0], 16, 0, 0);
    if (wave == 0)
      __builtin_amdgcn_global_load_lds((Global*)const_cast<_Float16*>(from_b + at),
                                       (Local*)&tiles[buffer][2][0], 16, 0, 0);
  };
  Tile tile = {0, 0, 0, 0};
  fetch(0, 0);
  for (int at = 0, now = 0; at < k; at += 32, now = 1 - now) {
    __builtin_amdgcn_s_waitcnt(0);  // what was fetched has arrived
    barrier();
    if (at + 32 < k) fetch(1 - now, at + 32);
    tile = __builtin_amdgcn_mfma_f32_16x16x32_f16(tiles[now][wave][l], tiles[now][2][l], tile, 0, 0, 0);
    barrier();
  }
  store_tile(c, group_y() * 32 + wave * 16, group_x() * 16, n, tile);
}

/// Each lane sorts 8 values in an array of its own by counting, then takes `picks` steps through it by index.
__global__ void dynamic_index(const uint32_t* in, uint32_t* out, int picks) {
  const int i = group_x() * 64 + lane();
  uint32_t values[8];
  uint32_t sorted[8] = {};
  for (int k = 0; k < 8; ++k) values[k] = in[8 * i + k];
  for (int k = 0; k < 8; ++k) {
    int place = 0;
    for (int other = 0; other < 8; ++other)
      place += values[other] < values[k] || (values[other] == values[k] && other < k) ? 1 : 0;
    sorted[place] = values[k];
  }
  uint32_t at = values[0] % 8;
  uint32_t sum = 0;
  for (int k = 0; k < picks; ++k) {
    sum = sum * 31 + sorted[at];
    at = (sorted[at] + at + 1) % 8;
  }
  out[i] = sum;
}

/// Lane permutations: mirrored by DPP within 16, rotated by bpermute, swapped in quads, pushed by permute.
__global__ void shuffles(const int* in, int* out) {
  const int value = in[lane()];
  out[lane()] = __builtin_amdgcn_update_dpp(0, value, 0x140, 0xf, 0xf, false);  // row_mirror
  out[64 + lane()] = __builtin_amdgcn_ds_bpermute(4 * ((lane() + 7) & 63), value);
  out[128 + lane()] = __builtin_amdgcn_update_dpp(0, value, 0xb1, 0xf, 0xf, false);  // quad_perm:[1,0,3,2]
  out[192 + lane()] = __builtin_amdgcn_ds_permute(4 * (63 - lane()), value);
  out[256 + lane()] = __builtin_amdgcn_update_dpp(-1, value, 0x111, 0xf, 0xf, false);  // row_shr:1
  const auto swapped = __builtin_amdgcn_permlane32_swap(static_cast<uint32_t>(value),
                                                        static_cast<uint32_t>(value), false, false);
  out[320 + lane()] = static_cast<int>(swapped[0]);
  out[384 + lane()] = static_cast<int>(swapped[1]);
}

/// Reverses the group's values through LDS whose size the launch gives.
__global__ void dynamic_lds(const uint64_t* in, uint64_t* out, int count) {
  extern __shared__ uint64_t values[];
  values[lane()] = in[group_x() * count + lane()];
  barrier();
  out[group_x() * count + lane()] = values[count - 1 - lane()];
}

/// 64-bit division, f64, and a call with a loop of unknown length.
__global__ void arithmetic(const uint64_t* a, const uint64_t* b, uint64_t* quotients, int64_t* remainders,
                           double* roots, uint32_t* steps) {
  const int i = group_x() * 64 + lane();
  quotients[i] = a[i] / b[i];
  remainders[i] = static_cast<int64_t>(a[i]) % static_cast<int64_t>(b[i]);
  // Newton's steps from 1 towards the square root of b % 1000 + 1.
  const auto x = static_cast<double>(b[i] % 1000 + 1);
  double root = 1;
  for (int step = 0; step < 20; ++step) root = (root + x / root) * 0.5;
  roots[i] = root;
  steps[i] = collatz_steps(a[i] % 1000 + 1);
}

/// A tile of bytes turned over by the transposing LDS read: out[c][r] = in[r][c], 16 rows of 16 f16 a group
/// of 16 lanes.
__global__ void transpose_by_lds_read(const uint64_t* in, uint64_t* out) {
  __shared__ uint64_t tile[64];
  tile[lane()] = in[lane()];
  barrier();
  using Short4 = Vector<short, 4>;
  using Local = __attribute__((address_space(3))) Short4;
  out[lane()] = __builtin_bit_cast(
      uint64_t, __builtin_amdgcn_ds_read_tr16_b64_v4i16(
                    reinterpret_cast<Local*>((__attribute__((address_space(3))) uint64_t*)tile + lane())));
}

}  // extern "C"
