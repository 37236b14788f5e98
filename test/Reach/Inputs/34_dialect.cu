// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words and liberties that nvcc knows in every dialect.
#define FORMAT "s"
__managed__ int calls;
__device__ int missing(int x) { if (x) return 1; }
__global__ void g(const float *x, float *y, int n, const __grid_constant__ int m) {
  __shared__ float xs[256];
  register int t = threadIdx.x; float s = 0;
  typeof(n) end = n;
  float2 pair{n, m};
#if __CUDACC_VER_MAJOR__ >= 11
  for (int k = 0; k < end; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    s += xs[t ^ 1] + pair.x;
    __syncthreads();
  }
#endif
  if (s < -1) printf("%"FORMAT"\n", "negative");
  y[t] = s + calls;
}
void host() { calls = 3; }
