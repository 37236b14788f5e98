// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 8 KB of static tile beside dynamic shared memory that holds no tile.

constexpr int T = 256, TILE = 2048;

__global__ void __launch_bounds__(T)
dynamic(const float *in, float *out, int tiles) {
  __shared__ float tile[TILE];
  extern __shared__ float results[];
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    for (int i = 0; i < TILE; i += T)
      tile[i + threadIdx.x] = in[t * TILE + i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += tile[i];
    __syncthreads();
  }
  results[threadIdx.x] = sum;
  out[threadIdx.x] = results[threadIdx.x];
}

void run(const float *in, float *out, int tiles, int bytes) {
#ifdef BYTES
  dynamic<<<1, T, BYTES>>>(in, out, tiles);
#else
  dynamic<<<1, T, bytes>>>(in, out, tiles);
#endif
}
