// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile of FLOATS floats beside PAD bytes of scratch, for THREADS threads.

__global__ void __launch_bounds__(THREADS)
budget(const float *in, float *out, int tiles) {
  __shared__ float tile[FLOATS];
  __shared__ char scratch[PAD];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < FLOATS; i += THREADS)
      tile[i + threadIdx.x] = in[t * FLOATS + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < FLOATS; ++i)
      sum += tile[i];
    __syncthreads();
  }
  scratch[threadIdx.x % PAD] = sum < 0.0f;
  __syncthreads();
  out[threadIdx.x] = scratch[0] ? sum : -sum;
}
