// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the author's that are called as the toolkit's are, and put the
// address of a tile into the object that they are given: it is the only one.
// RUN: %kpipe rewrite --arch=sm_86 %s -o %t.cu 2>&1 | FileCheck %s
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: not pipelined: g reaches what is staged here, but not by a name

constexpr int T = 64;
struct Fragment {
  unsigned long long at;
};
__device__ void load_matrix_sync(Fragment &f, const float *p, int) {
  f.at = reinterpret_cast<unsigned long long>(p);
}
__device__ void mma_sync(Fragment &d, const Fragment &a) { d.at = a.at + 4; }

__global__ void __launch_bounds__(T)
held_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  Fragment f, g;
  load_matrix_sync(f, s, T);
  mma_sync(g, f);
  float sum = 0;
  // CHECK: remark: pipelined K-loop: single buffer of s
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T - 1; ++j)
      sum += s[j] * (j ^ threadIdx.x) + reinterpret_cast<const float *>(g.at)[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
