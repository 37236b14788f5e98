// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = A * x for few rows: a warp a row, eight rows a block, 512 columns a tile.
constexpr int Rows = 8, Columns = 512, Threads = 256;

__global__ void __launch_bounds__(Threads)
gemv(const float *__restrict__ A, const float *__restrict__ x,
     float *__restrict__ y, int columns) {
  __shared__ float As[Rows][Columns];
  __shared__ float xs[Columns];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  A += size_t(blockIdx.x) * Rows * columns;

  float sum = 0.0f;
  for (int c0 = 0; c0 < columns; c0 += Columns) {
    for (int i = tid; i < Rows * Columns; i += Threads)
      As[i / Columns][i % Columns] = A[i / Columns * columns + c0 + i % Columns];
    for (int i = tid; i < Columns; i += Threads)
      xs[i] = x[c0 + i];
    __syncthreads();
#pragma unroll 4
    for (int c = lane; c < Columns; c += 32)
      sum += As[warp][c] * xs[c];
    __syncthreads();
  }

  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[blockIdx.x * Rows + warp] = sum;
}

void run(const float *A, const float *x, float *y, int rows, int columns) {
  gemv<<<rows / Rows, Threads>>>(A, x, y, columns);
}
