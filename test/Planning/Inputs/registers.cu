// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel with a tile of a float per thread, for each of the things that
// take registers. DO is what it does with the tile, BOUNDS its launch bounds.

struct Quad {
  float x, y, z, w;
};

__device__ float folded(const float *tile) {
  float part[8];
  for (int j = 0; j < 8; ++j)
    part[j] = tile[threadIdx.x ^ j];
  return part[threadIdx.x & 7];
}

__global__ void __launch_bounds__(BOUNDS)
registers(const float *in, float *out, int tiles) {
  __shared__ float tile[256];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    DO;
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
