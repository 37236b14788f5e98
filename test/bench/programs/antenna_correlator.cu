// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Correlator of radio antennas: 64 x 64 baselines a block of 1024 threads, complex
// samples of a byte each in two polarisations; 16 times a tile, per frequency.
#include "bench.h"

typedef char4 sample; // x.re, x.im, y.re, y.im

constexpr int TIMES = 16;
constexpr int STATIONS = 64;

struct cint {
  int re, im;
};

__device__ __forceinline__ void conj_mac(cint &sum, int are, int aim, int bre, int bim) {
  sum.re += are * bre + aim * bim;
  sum.im += aim * bre - are * bim;
}

__global__ void __launch_bounds__(1024, 1)
correlate(const sample *__restrict__ in, int times, int stations, int2 *__restrict__ visibilities) {
  __shared__ sample rows[TIMES][STATIONS];
  __shared__ sample columns[TIMES][STATIONS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int half = ty / 16, t = ty % 16; // 512 threads load rows, 512 columns
  const int side = (half ? blockIdx.x : blockIdx.y) * STATIONS;
  const sample *from = in + size_t(blockIdx.z) * times * stations + side;

  cint sum[2][2][4] = {};
  for (int t0 = 0; t0 < times; t0 += TIMES) {
    const sample *line = from + size_t(t0 + t) * stations;
    if (half == 0) {
      rows[t][tx] = line[tx];
      rows[t][tx + 32] = line[tx + 32];
    } else {
      columns[t][tx] = line[tx];
      columns[t][tx + 32] = line[tx + 32];
    }
    __syncthreads();
#pragma unroll 2
    for (int k = 0; k < TIMES; ++k) {
      const sample a[2] = {rows[k][ty], rows[k][ty + 32]};
      const sample b[2] = {columns[k][tx], columns[k][tx + 32]};
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          conj_mac(sum[i][j][0], a[i].x, a[i].y, b[j].x, b[j].y);
          conj_mac(sum[i][j][1], a[i].x, a[i].y, b[j].z, b[j].w);
          conj_mac(sum[i][j][2], a[i].z, a[i].w, b[j].x, b[j].y);
          conj_mac(sum[i][j][3], a[i].z, a[i].w, b[j].z, b[j].w);
        }
    }
    __syncthreads();
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const size_t row = blockIdx.y * STATIONS + ty + 32 * i;
      const size_t column = blockIdx.x * STATIONS + tx + 32 * j;
      int2 *out =
          visibilities + ((size_t(blockIdx.z) * stations + row) * stations + column) * 4;
      for (int p = 0; p < 4; ++p)
        out[p] = make_int2(sum[i][j][p].re, sum[i][j][p].im);
    }
}

int main() {
  const int stations = 256, times = bench::tiled(512, TIMES), channels = bench::size(64);
  signed char *in = bench::random<signed char>(size_t(channels) * times * stations * 4, 1);
  const size_t all = size_t(channels) * stations * stations * 4;
  int2 *out = bench::output<int2>(all);
  bench::run("fx_correlator", [&] {
    correlate<<<dim3(stations / STATIONS, stations / STATIONS, channels), dim3(32, 32)>>>(
        (const sample *)in, times, stations, out);
  });
  bench::report("out", out, all);
}
