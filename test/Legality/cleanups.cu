// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What __attribute__((cleanup)) names is called where the scope ends, and no
// call is written there.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not="kpipe-pipelined"
// ALONE-COUNT-2: not pipelined

constexpr int T = 64;
__device__ void advance(int **p) { ++**p; }

__global__ void __launch_bounds__(T)
carried(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  int off = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x + off];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * (threadIdx.x ^ j);
    {
      // CHECK: [[#@LINE+1]]:7: {{.*}}what __attribute__((cleanup)) names
      __attribute__((cleanup(advance))) int *p = &off;
      sum += *p;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Late {
  float *p, v;
};
__device__ void store(Late *l) { *l->p = l->v; }

__global__ void __launch_bounds__(T) aliased(const float *x, float *w, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    // CHECK: [[#@LINE+1]]:5: {{.*}}what __attribute__((cleanup)) names
    __attribute__((cleanup(store))) Late l{w + i + T + threadIdx.x, sum};
    for (int j = 0; j < T; ++j)
      sum += s[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
}
