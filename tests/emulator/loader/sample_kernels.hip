// Device code for the loader's tests: one of each thing that a code object can hold. No HIP header is needed.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))

// What the host pass needs to make launch stubs of kernels.
struct dim3 {
  unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, unsigned long lds,
                               void* stream);

struct Mixed {
  char letter;
  double number;
  short shorts[3];
};

extern "C" {

__device__ int counter = 7;
__device__ int* pointer_to_counter = &counter;
__device__ int zeros[1000];
__constant__ float factors[4] = {1.0F, 2.0F, 4.0F, 8.0F};

__global__ void plain(float* out, const float* in, float scale, int count) {
  const int i = static_cast<int>(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
  if (i < count) out[i] = in[i] * scale;
}

__global__ void packed(char a, short b, char c, int d, char e, long f, Mixed g, float* out) {
  out[__builtin_amdgcn_workitem_id_x()] =
      static_cast<float>(a + b + c + d + e + f + g.letter + g.number + g.shorts[2]);
}

__global__ void with_lds(int* out) {
  __shared__ int fixed[100];
  extern __shared__ int dynamic[];
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  fixed[lane] = static_cast<int>(lane);
  dynamic[lane] = 1;
  __builtin_amdgcn_s_barrier();
  out[lane] = fixed[63 - lane] + dynamic[63 - lane];
}

__global__ void with_globals(float* out) {
  const unsigned lane = __builtin_amdgcn_workitem_id_x();
  *pointer_to_counter += 1;
  zeros[lane] = counter;
  out[lane] = factors[lane & 3];
}

__global__ __attribute__((amdgpu_flat_work_group_size(128, 128))) void sized(unsigned* out) {
  // Reads what the launcher hides behind the arguments, here the number of work-groups along x.
  const auto* hidden = (const unsigned __attribute__((address_space(4)))*)__builtin_amdgcn_implicitarg_ptr();
  out[__builtin_amdgcn_workitem_id_x()] = hidden[0];
}

}  // extern "C"
