// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in the load region that loads the same memory again and again waits for
// another thread; what stands behind it may not be loaded before.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 | FileCheck %s

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *x, const int *flag, float *__restrict__ y, int n) {    \
    __shared__ float xs[T];                                                    \
    const int t = threadIdx.x;                                                 \
    float sum = 0;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (t ^ j);

__device__ void poll(const int *flag) {
  int v;
  do {
    v = __ldcg(flag);
  } while (v == 0);
}

KERNEL(in_condition)
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    // CHECK: [[@LINE+1]]:5: warning: not pipelined: the load region loads the same memory again and again: it waits for what another thread stores [kpipe-load-effects]
    if (t == 0)
      while (__ldcg(&flag[k / T]) == 0)
        ;
    __syncthreads();
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(in_body)
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    int v;
    // CHECK: [[@LINE+1]]:5: warning: not pipelined: the load region loads the same memory again and again: it waits for what another thread stores [kpipe-load-effects]
    do {
      v = __ldcg(&flag[k / T]);
    } while (v == 0);
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(some_times)
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    // CHECK: [[@LINE+1]]:5: warning: not pipelined: the load region loads the same memory again and again: it waits for what another thread stores [kpipe-load-effects]
    for (int i = 0; i < 100 && __ldcg(&flag[k / T]) == 0; ++i)
      ;
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(in_helper)
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    // CHECK: [[@LINE+1]]:5: warning: not pipelined: the load region loads the same memory again and again: it waits for what another thread stores [kpipe-load-effects]
    if (t < 32)
      poll(flag + k / T);
    __syncthreads();
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}

// Another place each time is no waiting.
KERNEL(list)
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    while (flag[at] > k)
      at = flag[at];
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(rows)
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    while (flag[at + 1] <= k)
      ++at;
    xs[t] = x[at];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[t] = sum;
}
