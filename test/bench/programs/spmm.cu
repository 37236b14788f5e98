// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Y = S * X for a sparse S with rows of one length (ELL), float: a row a block,
// a column of X a thread, 128 entries of the row a tile.
#include "bench.h"

constexpr int Entries = 128, Columns = 128;

__global__ void __launch_bounds__(Columns)
spmm(const int *__restrict__ places, const float *__restrict__ values,
     const float *__restrict__ X, float *__restrict__ Y, int length,
     int rows_of_x) {
  __shared__ int place[Entries];
  __shared__ float value[Entries];
  const int tid = threadIdx.x;
  places += size_t(blockIdx.x) * length;
  values += size_t(blockIdx.x) * length;

  float sum = 0.0f;
  for (int first = 0; first < length; first += Entries) {
    place[tid] = places[first + tid];
    value[tid] = values[first + tid];
    __syncthreads();
    for (int e = 0; e < Entries; ++e)
      sum += value[e] * X[(place[e] & (rows_of_x - 1)) * Columns + tid];
    __syncthreads();
  }
  Y[size_t(blockIdx.x) * Columns + tid] = sum;
}

int main() {
  const int rows = bench::size(16384), rows_of_x = bench::size(8192);
  const int length = bench::tiled(1024, Entries);
  int *places = reinterpret_cast<int *>(
      bench::random<signed char>(size_t(rows) * length * sizeof(int), 1));
  float *values = bench::random<float>(size_t(rows) * length, 2);
  float *X = bench::random<float>(size_t(rows_of_x) * Columns, 3);
  float *Y = bench::output<float>(size_t(rows) * Columns);
  bench::run("spmm", [&] {
    spmm<<<rows, Columns>>>(places, values, X, Y, length, rows_of_x);
  });
  bench::report("Y", Y, size_t(rows) * Columns);
}
