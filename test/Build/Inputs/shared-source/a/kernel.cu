// The program, with a kernel of its own.
#include "../b/kernel.cuh"

__global__ void scaledSums(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[128];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += 2 * xs[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

int main() {
  scaledSums<<<1, 128>>>(nullptr, nullptr, 0);
  runSums(nullptr, nullptr, 0);
}
