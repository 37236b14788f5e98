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
#define BODY                                                                   \
  __syncthreads();                                                             \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j];                                                              \
  __syncthreads();

BEGIN(ragged, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(wide_block, 64) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(finer_bound, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 16 * 16; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n / 16 * 16; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(late_start, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x + 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x + 1; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(start_anywhere, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = n + threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = n + threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(inclusive, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k <= n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k <= n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
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
    BODY
  }
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
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
    BODY
  }
  for (int k = threadIdx.x; k < limit; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(unknown_step, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += n) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += n) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_step, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32 + threadIdx.x) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n / 32 * 32; k += 32 + threadIdx.x) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(wrapping, 24) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (unsigned k = threadIdx.x; k < unsigned(n) / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (unsigned k = threadIdx.x; k < unsigned(n) / 24 * 24; k += 24) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(narrow, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (unsigned char k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (unsigned char k = threadIdx.x; k < n / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(other_rest, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n - sizes[0] % 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < n - sizes[0] % 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_size, 32) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < v.own() / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  for (int k = threadIdx.x; k < v.own() / 32 * 32; k += 32) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(asks_memory, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (v.first() > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(asks_thread, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (v.own() > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(counts, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (v.count() > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(through_reference, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (v.another() > 1) {
    xs[threadIdx.x] = 1;
    BODY
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
    BODY
  }
  if (v.rows() > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_lane, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (twice(n) > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_table, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (tables[0][0] > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(own_element, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (v.size[threadIdx.x & 1] > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(global, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (next() > 1) {
    xs[threadIdx.x] = 1;
    BODY
  }
  y[threadIdx.x] = sum;
}

BEGIN(of_other, T) {
  __shared__ float xs[T * 2];
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += T) {
    // CHECK: unequal-trips.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[threadIdx.x] = x[k];
    BODY
  }
  if (rest(sizes[threadIdx.x]) > 1) {
    xs[threadIdx.x] = 1;
    BODY
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
        BODY
      }
    } else {
      BODY
      for (int k = threadIdx.x; k < n; k += T) {
        // CHECK: unequal-trips.cu:[[#@LINE-1]]:7: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
        xs[threadIdx.x] = x[k + 1];
        BODY
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
      BODY
    }
  } else {
    for (int k = threadIdx.x; k < n; k += T) {
      // CHECK: unequal-trips.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k];
      BODY
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
      BODY
    }
  } else {
    BODY
  }
  y[threadIdx.x] = sum;
}
