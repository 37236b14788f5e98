// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../gemv_few.cu, pipelined by hand: three tiles are prefetched into a
// four-stage cp.async ring in dynamic shared memory, since only one block runs
// on an SM and nothing else hides the latency. One barrier per tile. Copies are
// of single elements, as in the plain program.
#include "bench.h"
#include <cuda_pipeline.h>

constexpr int Rows = 8, Columns = 512, Threads = 256, Stages = 4;

struct Stage {
  float As[Rows][Columns];
  float xs[Columns];
};

__global__ void __launch_bounds__(Threads)
gemv(const float *__restrict__ A, const float *__restrict__ x,
     float *__restrict__ y, int columns) {
  extern __shared__ __align__(16) Stage ring[];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  A += size_t(blockIdx.x) * Rows * columns;

  auto load = [&](int t, Stage &to) {
#pragma unroll
    for (int i = 0; i < Rows * Columns / Threads; ++i) {
      int r = (tid + i * Threads) / Columns, c = (tid + i * Threads) % Columns;
      __pipeline_memcpy_async(&to.As[r][c], &A[r * columns + t * Columns + c],
                              sizeof(float));
    }
#pragma unroll
    for (int i = 0; i < Columns / Threads; ++i) {
      int c = tid + i * Threads;
      __pipeline_memcpy_async(&to.xs[c], &x[t * Columns + c], sizeof(float));
    }
  };

  float sum = 0.0f;
  const int tiles = columns / Columns;
  for (int t = 0; t < Stages - 1; ++t) {
    if (t < tiles)
      load(t, ring[t]);
    __pipeline_commit();
  }

  for (int t = 0; t < tiles; ++t) {
    // Behind the barrier, tile t has landed for all threads, and all threads are
    // done with tile t - 1, whose stage is refilled next.
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    if (t + Stages - 1 < tiles)
      load(t + Stages - 1, ring[(t + Stages - 1) % Stages]);
    __pipeline_commit(); // an empty group at the end keeps the count right

    const Stage &now = ring[t % Stages];
#pragma unroll 4
    for (int c = lane; c < Columns; c += 32)
      sum += now.As[warp][c] * now.xs[c];
  }

  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[blockIdx.x * Rows + warp] = sum;
}

int main() {
  const int blocks = bench::multiprocessors(), rows = blocks * Rows;
  const int columns = bench::tiled(1 << 17, Columns);
  float *A = bench::random<float>(size_t(rows) * columns, 1);
  float *x = bench::random<float>(columns, 2);
  float *y = bench::output<float>(rows);
  const int bytes = Stages * sizeof(Stage);
  bench::check(cudaFuncSetAttribute(
      gemv, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  bench::run("gemv_few", [&] {
    gemv<<<blocks, Threads, bytes>>>(A, x, y, columns);
  });
  bench::report("y", y, rows);
}
