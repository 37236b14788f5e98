// A tile loop whose threads meet at an object.
#include <cuda/barrier>

__global__ void sum(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ float s[64];
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float all = 0;

  for (int i = 0; i < n; i += 64) {
    s[threadIdx.x] = x[i + threadIdx.x];
    bar.arrive_and_wait();
    for (int j = 0; j < 64; ++j)
      all += s[j];
    bar.arrive_and_wait();
  }
  y[threadIdx.x] = all;
}
