// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recurrence of linear attention with decay (RWKV-5): a head of a sequence a
// block of 64 threads, a column of its state in a thread's registers; one step in
// time a tile.
#include "bench.h"
#include <algorithm>

template <int N>
__global__ void __launch_bounds__(N)
wkv_forward(int T, int C, int H, const float *__restrict__ _r, const float *__restrict__ _k,
            const float *__restrict__ _v, const float *__restrict__ _w,
            const float *__restrict__ _u, float *__restrict__ _y) {
  const int b = blockIdx.x / H, h = blockIdx.x % H, i = threadIdx.x;
  _w += h * N;
  _u += h * N;

  __shared__ float r[N], k[N], u[N], w[N];
  float state[N] = {0};
  w[i] = _w[i] * 0.25f + 0.7f;
  u[i] = _u[i];

  for (int t = b * T * C + h * N + i; t < (b + 1) * T * C + h * N + i; t += C) {
    __syncthreads();
    r[i] = _r[t];
    k[i] = _k[t];
    __syncthreads();

    const float v = _v[t];
    float y = 0;
#pragma unroll
    for (int j = 0; j < N; j += 4) {
      const float4 &rr = (float4 &)(r[j]), &kk = (float4 &)(k[j]);
      const float4 &ww = (float4 &)(w[j]), &uu = (float4 &)(u[j]);
      float4 &s = (float4 &)(state[j]);
      float4 x;
      x.x = kk.x * v, x.y = kk.y * v, x.z = kk.z * v, x.w = kk.w * v;
      y += rr.x * (uu.x * x.x + s.x);
      y += rr.y * (uu.y * x.y + s.y);
      y += rr.z * (uu.z * x.z + s.z);
      y += rr.w * (uu.w * x.w + s.w);
      s.x = s.x * ww.x + x.x;
      s.y = s.y * ww.y + x.y;
      s.z = s.z * ww.z + x.z;
      s.w = s.w * ww.w + x.w;
    }
    _y[t] = y;
  }
}

int main() {
  const int B = std::max(1, bench::size(16)), H = 32, N = 64, T = bench::size(512), C = H * N;
  const size_t all = size_t(B) * T * C;
  float *rkv = bench::random<float>(3 * all, 1);
  float *w = bench::random<float>(C, 2), *u = bench::random<float>(C, 3);
  float *y = bench::output<float>(all);
  bench::run("rwkv5", [&] {
    wkv_forward<N><<<B * H, N>>>(T, C, H, rkv, rkv + all, rkv + 2 * all, w, u, y);
  });
  bench::report("y", y, all);
}
