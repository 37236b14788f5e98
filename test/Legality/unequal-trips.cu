// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uniform-barrier, neighbours of loops whose trips are equal for all
// threads: bounds that the step does not divide, blocks wider than a step,
// values that look the same for all threads and are not.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='remark: pipelined'

constexpr int T = 32;
struct View {
  const float *data;
  int size[2];
  mutable int asked;
  int &other;
  __host__ __device__ int rows() const { return size[0]; }
  __device__ int own() const { return size[0] - threadIdx.x; }
  __device__ int first() const { return int(data[0]); }
  __device__ int count() const { return ++asked; }
  __device__ int another() const { return other; }
  __device__ void shrink() { size[0] -= threadIdx.x; }
};
__device__ int counter;
__device__ int next() { return counter; }
__device__ int lane() { return threadIdx.x % 32; }
__device__ int twice(int a) { return a + lane(); }
__device__ int rest(const int &a) { return a % 32; }

#define BEGIN(Name, Threads)                                                   \
  __global__ void __launch_bounds__(Threads)                                   \
      Name(const float *__restrict__ x, float *__restrict__ y, int n, View v,  \
           const int *sizes, float **tables)

BEGIN(ragged, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(wide_block, 64) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(finer_bound, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 16 * 16; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 16 * 16; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(late_start, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x + 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x + 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(start_anywhere, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = n + threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = n + threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(inclusive, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k <= n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k <= n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_bound, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  const int limit = sizes[threadIdx.x] / 32 * 32;
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(moving_bound, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int limit = n / 32 * 32; if (threadIdx.x) limit += 1;
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(unknown_step, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += n) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += n) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_step, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32 + threadIdx.x) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32 + threadIdx.x) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(wrapping, 24) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (unsigned k = threadIdx.x; k < unsigned(n) / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (unsigned k = threadIdx.x; k < unsigned(n) / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(narrow, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (unsigned char k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (unsigned char k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(other_rest, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n - sizes[0] % 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n - sizes[0] % 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_size, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < v.own() / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < v.own() / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(asks_memory, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.first() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(asks_thread, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.own() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(counts, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.count() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(through_reference, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.another() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(shrunk, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  v.shrink();
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.rows() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_lane, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (twice(n) > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_table, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (tables[0][0] > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_element, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (v.size[threadIdx.x & 1] > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(global, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (next() > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(of_other, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  if (rest(sizes[threadIdx.x]) > 1) {
    xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Threads that leave the first loop early begin another turn of the outer one.
BEGIN(in_turns, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int t = 0; t < 4; ++t) {
    if (t % 2 == 0) {
      for (int k = threadIdx.x; k < n; k += T) {
        // CHECK: unequal-trips.cu:[[#@LINE-1]]:7: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
        xs[threadIdx.x] = x[k];
        __syncthreads();
        for (int j = 0; j < T; ++j)
          sum += xs[j];
        __syncthreads();
      }
    } else {
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
      for (int k = threadIdx.x; k < n; k += T) {
        // CHECK: unequal-trips.cu:[[#@LINE-1]]:7: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
        xs[threadIdx.x] = x[k + 1];
        __syncthreads();
        for (int j = 0; j < T; ++j)
          sum += xs[j];
        __syncthreads();
      }
    }
  }
  y[threadIdx.x] = sum;
}

// The same by a helper that a kernel calls again.
__device__ float helper(float *xs, const float *__restrict__ x, int n, int t) {
  float sum = 0;
  if (t) {
    for (int k = threadIdx.x; k < n; k += T) {
      // CHECK: unequal-trips.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    for (int k = threadIdx.x; k < n; k += T) {
      // CHECK: unequal-trips.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  }
  return sum;
}
BEGIN(calls, T) {
  __shared__ float xs[T * 2];
  for (int t = 0; t < 4; ++t)
    y[threadIdx.x] += helper(xs, x, n, t % 2);
}

// The branch is the thread's.
BEGIN(own_branch, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  if (threadIdx.x < 16) {
    for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
      // CHECK: unequal-trips.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Sums of another type wrap around, and a narrower one is another number.
BEGIN(unsigned_step, 24) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 24 * 24; k += 24u) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 24 * 24; k += 24u) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(narrowed_start, 24) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = 24l * n + (int)threadIdx.x; k < n / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = 24l * n + (int)threadIdx.x; k < n / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ int times(int a, unsigned char by) { return a * by; }
__device__ int rounded(int a, int by) { return times(a, by); }
__device__ int either(int a, bool by) { return a * by; }
__device__ int asked(int a, int by) { return either(a, by); }
BEGIN(narrowed_parameter, 24) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < rounded(n, 264); k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < rounded(n, 264); k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(truth_of_parameter, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < asked(n, 32); k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < asked(n, 32); k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The counter goes by another name, which a thread changes it by.
BEGIN(by_reference, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int q; int &r = q;
  for (q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    r += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_pointer, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int q; int *p = &q;
  for (q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    *p += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_closure, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int q; auto more = [&] { q += threadIdx.x; };
  for (q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    more();
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(counts_by_reference, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int z; int &q = z;
  for (q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    z += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_result, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int q; int &r = (q = 0);
  for (q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    r += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ int keep(int *&p, int &q) {
  p = &q;
  return threadIdx.x;
}
BEGIN(by_kept, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  int *p;
  for (int q = keep(p, q); q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    *p += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Some threads leave a turn by a switch in it.
BEGIN(continued, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    switch (threadIdx.x) { case 3: continue; } __syncthreads();
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The counter is one that a thread moves on by itself.
BEGIN(moved_on, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int q = threadIdx.x; q < n / 32 * 32; q += 32) {
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
    q += threadIdx.x;
  }
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(early_start, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = int(threadIdx.x) - 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = int(threadIdx.x) - 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

BEGIN(start_of_two, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x + threadIdx.y; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x + threadIdx.y; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// It is declared apart: another file may launch it with wider blocks.
__global__ void launched(const float *x, float *y, int n);
__global__ void launched(const float *x, float *y, int n) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void launch(const float *x, float *y) { launched<<<1, 32>>>(x, y, 100); }
