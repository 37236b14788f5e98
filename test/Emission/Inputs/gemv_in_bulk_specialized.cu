// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A * x for few rows: a warp a row, eight rows a block, 512 columns a tile.
#include <kpipe/pipeline.h>
constexpr int Rows = 8, Columns = 512, Threads = 256;

// Bytes of dynamic shared memory of gemv().
constexpr unsigned gemv_shared_bytes = sizeof(float[4][Rows][Columns]) +
                                       sizeof(float[4][Columns]) +
                                       sizeof(unsigned long long[4]);

__global__ void __launch_bounds__(Threads + 32)
    gemv(const float *__restrict__ A, const float *__restrict__ x,
         float *__restrict__ y, int columns) {
  extern __shared__ __align__(16) unsigned char gemv_shared[];
  auto &As_stages = *reinterpret_cast<float (*)[4][Rows][Columns]>(gemv_shared);
  auto &xs_stages =
      *reinterpret_cast<float (*)[4][Columns]>(gemv_shared + sizeof(As_stages));
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  A += size_t(blockIdx.x) * Rows * columns;

  float sum = 0.0f;
  const bool aligned =
      (size_t)A % 16 == 0 && (size_t)x % 16 == 0 && columns % 4 == 0;
  auto &full_stages = *reinterpret_cast<unsigned long long (*)[4]>(
      gemv_shared + sizeof(As_stages) + sizeof(xs_stages));
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 4; ++stage)
      kpipe::init_full(full_stages[stage]);
    kpipe::fence_proxy_async();
  }
  __syncthreads();
  {
    __shared__ unsigned long long empty_stages[4];
    auto load_tile = [&](int c0, int stage) {
      auto &As = As_stages[stage];
      auto &xs = xs_stages[stage];
      auto &full = full_stages[stage];
      {
        kpipe::expect_tile(full, 18432);
        kpipe::load_row(As[0][0], &A[c0], 2048, full);
        kpipe::load_row(As[1][0], &A[1LL * columns + c0], 2048, full);
        kpipe::load_row(As[2][0], &A[2LL * columns + c0], 2048, full);
        kpipe::load_row(As[3][0], &A[3LL * columns + c0], 2048, full);
        kpipe::load_row(As[4][0], &A[4LL * columns + c0], 2048, full);
        kpipe::load_row(As[5][0], &A[5LL * columns + c0], 2048, full);
        kpipe::load_row(As[6][0], &A[6LL * columns + c0], 2048, full);
        kpipe::load_row(As[7][0], &A[7LL * columns + c0], 2048, full);
        kpipe::load_row(xs[0], &x[c0], 2048, full);
      }
    };
    auto compute_tile = [&](int c0, int stage) {
      auto &As = As_stages[stage];
      auto &xs = xs_stages[stage];

      if (!aligned) {
        for (int i = tid; i < Rows * Columns; i += Threads)
          As[i / Columns][i % Columns] =
              A[i / Columns * columns + c0 + i % Columns];
        for (int i = tid; i < Columns; i += Threads)
          xs[i] = x[c0 + i];
        kpipe::sync_threads<256>();
      }
#pragma unroll 4
      for (int c = lane; c < Columns; c += 32)
        sum += As[warp][c] * xs[c];
    };
    int c0 = 0;
    kpipe::start_stages<256>(empty_stages);
    // The producer: one thread of a warp behind the author's 256 threads
    if (threadIdx.x >= 256) {
      if (threadIdx.x == 256) {
        int stage = 0;
        unsigned parity = 1;
        for (; c0 < columns; c0 += Columns) {
          kpipe::wait_empty(empty_stages[stage], parity);
          kpipe::fence_proxy_async();
          load_tile(c0, stage);
          stage = kpipe::next_stage<4>(stage);
          parity ^= stage == 0;
        }
      }
      return;
    }
    int stage = 0;
    unsigned parity = 0;
    // kpipe: pipelined - a producer warp brings 3 tiles ahead of the one that
    // is computed
    for (; c0 < columns; c0 += Columns) {
      kpipe::wait_full(full_stages[stage], parity);
      compute_tile(c0, stage);
      kpipe::free_stage(empty_stages[stage]);
      stage = kpipe::next_stage<4>(stage);
      parity ^= stage == 0;
    }
    kpipe::sync_threads<256>();
  }

  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[blockIdx.x * Rows + warp] = sum;
}

void run(const float *A, const float *x, float *y, int rows, int columns) {
  gemv<<<rows / Rows, kpipe::with_producer(Threads),
         kpipe::opt_in_shared(gemv, gemv_shared_bytes)>>>(A, x, y, columns);
}
