// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, complex float: float2 elements, block tiles of 32 x 32 x 16, 2 x 2
// elements a thread.
#include "bench.h"

typedef float2 cplx;

static __device__ __forceinline__ cplx cmad(cplx a, cplx b, cplx c) {
  c.x += a.x * b.x - a.y * b.y;
  c.y += a.x * b.y + a.y * b.x;
  return c;
}

#define TS 32
#define TK 16

__global__ void cgemm_kernel(int n, int k, const cplx *a, const cplx *b, cplx *c) {
  __shared__ cplx sa[TK][TS + 1];
  __shared__ cplx sb[TK][TS];

  int tx = threadIdx.x, ty = threadIdx.y;
  int row0 = blockIdx.y * TS, col0 = blockIdx.x * TS;

  cplx c00 = make_float2(0.f, 0.f), c01 = make_float2(0.f, 0.f);
  cplx c10 = make_float2(0.f, 0.f), c11 = make_float2(0.f, 0.f);

  for (int kt = 0; kt < k; kt += TK) {
    // 16 x 16 threads: two rows of A each, two columns of B each.
    sa[tx][ty] = a[(row0 + ty) * k + kt + tx];
    sa[tx][ty + 16] = a[(row0 + ty + 16) * k + kt + tx];
    sb[ty][tx] = b[(kt + ty) * n + col0 + tx];
    sb[ty][tx + 16] = b[(kt + ty) * n + col0 + tx + 16];
    __syncthreads();

    for (int i = 0; i < TK; i++) {
      cplx a0 = sa[i][ty], a1 = sa[i][ty + 16];
      cplx b0 = sb[i][tx], b1 = sb[i][tx + 16];
      c00 = cmad(a0, b0, c00);
      c01 = cmad(a0, b1, c01);
      c10 = cmad(a1, b0, c10);
      c11 = cmad(a1, b1, c11);
    }
    __syncthreads();
  }

  c[(row0 + ty) * n + col0 + tx] = c00;
  c[(row0 + ty) * n + col0 + tx + 16] = c01;
  c[(row0 + ty + 16) * n + col0 + tx] = c10;
  c[(row0 + ty + 16) * n + col0 + tx + 16] = c11;
}

int main() {
  const int n = bench::size(2048), k = bench::tiled(1024, TK);
  float *a = bench::random<float>(size_t(n) * (k + 1) * 2, 1);
  float *b = bench::random<float>(size_t(n) * (k + 1) * 2, 2);
  float *c = bench::output<float>(size_t(n) * n * 2);
  bench::run("cgemm", [&] {
    cgemm_kernel<<<dim3(n / TS, n / TS), dim3(16, 16)>>>(
        n, k, (const cplx *)a, (const cplx *)b, (cplx *)c);
  });
  bench::report("c", c, size_t(n) * n * 2);
}
