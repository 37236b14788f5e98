// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with an online softmax: a thread owns a query, tiles of keys and
// values pass by. Two staged arrays, compute that carries scalars of its own.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int D = 16, T = 32;

__global__ void __launch_bounds__(T)
attention(const float *Q, const float *K, const float *V, float *O, int n,
          float scale) {
  __shared__ float Ks[T][D];
  __shared__ float Vs[T][D];
  const int tid = threadIdx.x;
  const int query = blockIdx.x * T + tid;
  float q[D], o[D];
  for (int d = 0; d < D; ++d) {
    q[d] = Q[query * D + d] * scale;
    o[d] = 0.0f;
  }
  float m = -1e30f, l = 0.0f;
  for (int j0 = 0; j0 < n; j0 += T) {
    for (int d = 0; d < D; ++d) {
      Ks[tid][d] = K[(j0 + tid) * D + d];
      Vs[tid][d] = V[(j0 + tid) * D + d];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float s = 0.0f;
      for (int d = 0; d < D; ++d)
        s += q[d] * Ks[j][d];
      float m_new = fmaxf(m, s);
      float a = __expf(m - m_new), p = __expf(s - m_new);
      l = l * a + p;
      for (int d = 0; d < D; ++d)
        o[d] = o[d] * a + p * Vs[j][d];
      m = m_new;
    }
    __syncthreads();
  }
  for (int d = 0; d < D; ++d)
    O[query * D + d] = l > 0.0f ? o[d] / l : 0.0f;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(attention) {
  for (int n : multiples(T)) {
    auto q = in<float>("Q", 2 * T * D), k = in<float>("K", n * D);
    auto v = in<float>("V", n * D), o = out<float>("O", 2 * T * D);
    launch({2, T}, attention, q, k, v, o, n, 0.25f);
  }
}
#endif
