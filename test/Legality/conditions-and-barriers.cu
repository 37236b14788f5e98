// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the header may not read, and barriers in loops of the compute that close
// no tile. The validators see what the header reads as well.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK: the loop condition reads shared memory [kpipe-control-flow]
// CHECK: note: it is written here
// CHECK: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
// CHECK: note: the loop ends with a barrier, but is not known to run a turn
// CHECK: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
// CHECK: note: the loop ends with a barrier, which this skips
// CHECK: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
// CHECK-NOT: note: the loop ends with a barrier
// CHECK-COUNT-2: the loop condition reads global memory that the loop may store to [kpipe-control-flow]
//
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: the barrier between the read of 'end' and the write of 'end' would be lost [kpipe-memory-order]
// ORDER: the barrier between the read of memory at 'n' and the write of memory at 'y' would be lost [kpipe-memory-order]
// ORDER: the barrier between the read of memory at 'n' and the write of memory at 'n' would be lost [kpipe-memory-order]

constexpr int T = 64;
__global__ void stored_end(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  __shared__ int end;
  end = n;
  int t = threadIdx.x;
  float s = 0;
  __syncthreads();
  for (int k = 0; k < end; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    s += xs[t ^ 1];
    if (s > 100 && t == 0)
      end = 0;
    __syncthreads();
  }
  y[t] = s;
}
__global__ void zero_trips(const float *__restrict__ x, float *__restrict__ y,
                           int n, int m) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < m; ++j) {
      s += xs[t ^ j];
      __syncthreads();
    }
  }
  y[t] = s;
}
__global__ void skips(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      s += xs[t ^ j];
      if (j == 1 && n > 256)
        break;
      __syncthreads();
    }
  }
  y[t] = s;
}
__global__ void reads_behind(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      s += xs[t ^ j];
      __syncthreads();
    }
    s += xs[t ^ 7];
  }
  y[t] = s;
}
__global__ void no_promise(const float *__restrict__ x, const int *n,
                           float *y) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  for (int k = 0; k < n[0]; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    y[k + t] = xs[t ^ 1];
    __syncthreads();
  }
}
__global__ void promise_of_another(const float *__restrict__ x, int *n,
                                   float *y) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  for (int k = 0; k < n[0]; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    n[1] = xs[t ^ 1];
    __syncthreads();
  }
}
// Behind the barrier of the last turn the condition reads the tile once more.
// CHECK-COUNT-3: note: the loop ends with a barrier, but its header reads shared memory once more behind it
__global__ void asks_behind(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 || s < xs[1]; ++j) {
      s += xs[t ^ j];
      __syncthreads();
    }
  }
  y[t] = s;
}
__global__ void asks_behind_do(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    int j = 0;
    do {
      s += xs[t ^ j];
      __syncthreads();
    } while (xs[j++] > 2);
  }
  y[t] = s;
}
__global__ void steps_behind(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (float j = 0; j < 2; j += xs[3] + 1) {
      s += xs[t ^ 1];
      __syncthreads();
    }
  }
  y[t] = s;
}
