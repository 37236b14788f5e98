// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../gemv_batched.cu with memcpy_async of each thread on a cuda::barrier: a warp a row,
// eight rows a block, 512 columns a tile. Every element is used once: memory is the limit.
#include "bench.h"
#include <cuda/barrier>

constexpr int Rows = 8, Columns = 512, Threads = 256;

__global__ void __launch_bounds__(Threads)
gemv(const float *__restrict__ A, const float *__restrict__ x,
     float *__restrict__ y, int rows, int columns) {
  __shared__ __align__(16) float As[Rows][Columns];
  __shared__ __align__(16) float xs[Columns];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.x * Rows;
  A += (size_t(blockIdx.y) * rows + row) * columns;
  x += blockIdx.y * columns;

  __shared__ cuda::barrier<cuda::thread_scope_block> landed;
  if (tid == 0)
    init(&landed, blockDim.x * blockDim.y * blockDim.z);
  __syncthreads();

  float sum = 0.0f;
  for (int c0 = 0; c0 < columns; c0 += Columns) {
    for (int i = tid; i < Rows * Columns / 4; i += Threads)
      cuda::memcpy_async(
          &As[i / (Columns / 4)][i % (Columns / 4) * 4],
          &A[i / (Columns / 4) * columns + c0 + i % (Columns / 4) * 4],
          cuda::aligned_size_t<16>(16), landed);
    if (tid < Columns / 4)
      cuda::memcpy_async(&xs[tid * 4], &x[c0 + tid * 4],
                         cuda::aligned_size_t<16>(16), landed);
    landed.arrive_and_wait();
#pragma unroll 4
    for (int c = lane; c < Columns; c += 32)
      sum += As[warp][c] * xs[c];
    __syncthreads();
  }

  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[blockIdx.y * rows + row + warp] = sum;
}

int main() {
  const int batch = bench::size(8), rows = bench::size(8192), columns = 4096;
  float *A = bench::random<float>(size_t(batch) * rows * columns, 1);
  float *x = bench::random<float>(batch * columns, 2);
  float *y = bench::output<float>(batch * rows);
  bench::run("gemv_batched", [&] {
    gemv<<<dim3(rows / Rows, batch), Threads>>>(A, x, y, rows, columns);
  });
  bench::report("y", y, batch * rows);
}
