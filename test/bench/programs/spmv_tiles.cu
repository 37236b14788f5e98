// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = S * x, float: the columns of S are cut into pieces of 1024, of which x comes into
// shared memory; four entries of each row a piece with 16-bit places in it.
#include "bench.h"

constexpr int PIECE = 1024, PER_PIECE = 4, BLOCK = 256;

__global__ void __launch_bounds__(BLOCK)
spmv(const uint16_t *__restrict__ place, const float *__restrict__ value,
     const float *__restrict__ x, float *__restrict__ y, int rows, int pieces) {
  __shared__ float xs[PIECE];
  const int row = blockIdx.x * BLOCK + threadIdx.x;
  float dot = 0;
  for (int p = 0; p < pieces; ++p) {
    for (int i = threadIdx.x; i < PIECE; i += BLOCK)
      xs[i] = x[p * PIECE + i];
    __syncthreads();
    for (int e = 0; e < PER_PIECE; ++e) {
      const size_t at = size_t(p * PER_PIECE + e) * rows + row;
      dot += value[at] * xs[place[at] % PIECE];
    }
    __syncthreads();
  }
  y[row] = dot;
}

int main() {
  const int rows = bench::size(1 << 18), columns = bench::tiled(1 << 16, PIECE);
  const int pieces = columns / PIECE;
  const size_t entries = size_t(rows) * (pieces + 1) * PER_PIECE;
  auto *place = bench::random<signed char>(entries * 2, 1);
  float *value = bench::random<float>(entries, 2);
  float *x = bench::random<float>(columns + 1, 3);
  float *y = bench::output<float>(rows);
  bench::run("spmv_tiles", [&] {
    spmv<<<rows / BLOCK, BLOCK>>>(reinterpret_cast<uint16_t *>(place), value, x, y, rows,
                                  pieces);
  });
  bench::report("y", y, rows);
}
