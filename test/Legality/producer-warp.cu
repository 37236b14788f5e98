// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --schedule=specialized: each kernel is the first one with one thing that a warp
// more in the block would change, or that the producer would do as well.
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=warning:

#include <cooperative_groups.h>
#include "Inputs/bulk_copies.h"

constexpr int T = 128;
// What can be done.
__global__ void legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_legal(const float *x, float *y, int n) { legal<<<1, T>>>(x, y, n); }

// A block of two axes.
__global__ void two_axes(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the launch in line [[#@LINE+12]] has blocks of several axes, in which a warp more would change the others' indices [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_two_axes(const float *x, float *y, int n) { two_axes<<<1, dim3(T / 2, 2)>>>(x, y, n); }

// A block of any size.
__global__ void unknown_block(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the size of the blocks of the launch in line [[#@LINE+12]] is not seen to be constant [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_unknown_block(const float *x, float *y, int n) { unknown_block<<<1, n>>>(x, y, n); }

// The largest block.
__global__ void full(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: blocks of 1024 threads have no room for a warp more, as a block has at most 1024 [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_full(const float *x, float *y, int n) { full<<<1, 1024>>>(x, y, n); }

// Half a warp.
__global__ void partial(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: blocks of 48 threads are no whole warps [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_partial(const float *x, float *y, int n) { partial<<<1, 48>>>(x, y, n); }

// Two launches.
__global__ void differ(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the launch in line [[#@LINE+12]] has blocks of 64 threads, and another one of 128 [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_differ(const float *x, float *y, int n) { differ<<<1, T>>>(x, y, n), differ<<<1, 64>>>(x, y, n); }

// A launch by a function.
__global__ void by_function(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the launch in line [[#@LINE+12]] does not name the kernel in `<<<…>>>` form [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_function(const float *x, float *y, int n) { void *a[] = {&x, &y, &n}; cudaLaunchKernel((const void *)by_function, dim3(1), dim3(T), a, 0, 0); }

// No launch.
__global__ void not_launched(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: this file does not launch the kernel [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_not_launched(const float *x, float *y, int n) { (void)x; }

// Somebody else may launch it.
__global__ void named(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the kernel is named outside its launches in line [[#@LINE+13]] [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_named(const float *x, float *y, int n) { named<<<1, T>>>(x, y, n); }
void (*const named_too)(const float *, float *, int) = named;

// A macro launches.
__global__ void with_macro(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the launch in line [[#@LINE+13]] is in a macro [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define LAUNCH(K) K<<<1, T>>>(x, y, n)
void run_with_macro(const float *x, float *y, int n) { LAUNCH(with_macro); }

// A barrier that counts.
__global__ void counts(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: '__syncthreads_count' is for all threads of the block, and there would be more [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  sum += __syncthreads_count(sum > 0);
  y[threadIdx.x] = sum;
}
void run_counts(const float *x, float *y, int n) { counts<<<1, T>>>(x, y, n); }

// The block as a group.
__global__ void group(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'this_thread_block' is for all threads of the block, and there would be more [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  auto block = cooperative_groups::this_thread_block();
  sum += block.size();
  y[threadIdx.x] = sum;
}
void run_group(const float *x, float *y, int n) { group<<<1, T>>>(x, y, n); }

// A numbered barrier.
__global__ void numbered(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'bar.sync' may be the numbered barrier that the author's threads are to meet at [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  asm volatile("bar.sync 1, 128;" ::: "memory");
  y[threadIdx.x] = sum;
}
void run_numbered(const float *x, float *y, int n) { numbered<<<1, T>>>(x, y, n); }

// The block's size in assembly.
__global__ void asks_ptx(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'ntid.x' is for all threads of the block, and there would be more [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  unsigned size;
  asm("mov.u32 %0, %%ntid.x;" : "=r"(size));
  sum += size;
  y[threadIdx.x] = sum;
}
void run_asks_ptx(const float *x, float *y, int n) { asks_ptx<<<1, T>>>(x, y, n); }

// The block's size in a function.
__device__ int threads() { return blockDim.x; }
__global__ void asks_below(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'threads', which the kernel calls, asks how many threads a block has [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  sum += threads();
  y[threadIdx.x] = sum;
}
void run_asks_below(const float *x, float *y, int n) { asks_below<<<1, T>>>(x, y, n); }

// A barrier in a function.
__device__ void meet() { __syncthreads(); }
__global__ void meets_below(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'meet', which the kernel calls, has all threads of the block meet [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  meet();
  y[threadIdx.x] = sum;
}
void run_meets_below(const float *x, float *y, int n) { meets_below<<<1, T>>>(x, y, n); }

// The block's size as a whole.
__global__ void hands_away(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: 'blockDim' is for all threads of the block, and there would be more [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  const dim3 block = blockDim;
  sum += block.x;
  y[threadIdx.x] = sum;
}
void run_hands_away(const float *x, float *y, int n) { hands_away<<<1, T>>>(x, y, n); }

// The block's size in a macro.
#define THREADS blockDim.x
__global__ void size_in_macro(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: a macro asks how many threads a block has [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  sum += THREADS;
  y[threadIdx.x] = sum;
}
void run_size_in_macro(const float *x, float *y, int n) { size_in_macro<<<1, T>>>(x, y, n); }

// A function of another file.
__device__ float elsewhere(float);
__global__ void unseen(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: nothing is known of 'elsewhere', which may count the threads of the block [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  sum = elsewhere(sum);
  y[threadIdx.x] = sum;
}
void run_unseen(const float *x, float *y, int n) { unseen<<<1, T>>>(x, y, n); }

// Threads leave in front.
__global__ void leaves(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (n < 0)
    return;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: a thread may leave the kernel before its end [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_leaves(const float *x, float *y, int n) { leaves<<<1, T>>>(x, y, n); }

// Threads leave behind the loop.
__global__ void leaves_behind(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: a thread may leave the kernel before its end [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  if (sum < 0)
    return;
  __syncthreads();
  y[threadIdx.x] = sum;
}
void run_leaves_behind(const float *x, float *y, int n) { leaves_behind<<<1, T>>>(x, y, n); }

// A barrier under a condition, in front.
__device__ float sum0[T];
__global__ void conditional_barrier(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  if (n > 2) {
    sum0[threadIdx.x] = n;
    __syncthreads();
  }
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the barrier in line [[#@LINE-4]] is no statement of its own in the kernel's body [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_conditional_barrier(const float *x, float *y, int n) { conditional_barrier<<<1, T>>>(x, y, n); }

// Another loop with barriers.
__global__ void other_loop(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the loop in line [[#@LINE+10]] has a barrier of the block, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  for (int s = 64; s > 0; s /= 2) {
    __syncthreads();
    sum += s;
  }
  y[threadIdx.x] = sum;
}
void run_other_loop(const float *x, float *y, int n) { other_loop<<<1, T>>>(x, y, n); }

// A thread's element in a declaration.
__global__ void declares(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const float first = x[threadIdx.x];
  sum += first;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'first' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_declares(const float *x, float *y, int n) { declares<<<1, T>>>(x, y, n); }

// An atomic in a declaration.
__global__ void counts_in_front(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int mine = atomicAdd((int *)y, 1);
  sum += mine;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'mine' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_counts_in_front(const float *x, float *y, int n) { counts_in_front<<<1, T>>>(x, y, n); }

// An element of an own array that more threads would not have.
__global__ void own_table(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int table[4] = {1, 2, 3, 4};
  const int part = table[threadIdx.x / 32];
  sum += part;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'part' in front of the loop may do more than compute a value for any index of a thread, and the producer would do it, too [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_own_table(const float *x, float *y, int n) { own_table<<<1, T>>>(x, y, n); }

// Where the tiles begin is loaded.
__global__ void set_by_some(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int first;
  first = int(y[0]);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'first' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + first) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_set_by_some(const float *x, float *y, int n) { set_by_some<<<1, T>>>(x, y, n); }

// How many tiles there are is loaded.
__global__ void trips_by_some(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int tiles;
  tiles = int(y[0]);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: how many tiles there are is not seen to be the same for all threads [kpipe-async-shape]
  for (int i = 0; i < tiles; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_trips_by_some(const float *x, float *y, int n) { trips_by_some<<<1, T>>>(x, y, n); }

// A value beside a store.
__global__ void guarded_value(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int first = 0;
  for (int j = 0; j < 2; ++j) {
    y[j] = 0;
    first = 1;
  }
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the author's threads alone set 'first' in front of the loop, and the producer needs it [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + first) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_guarded_value(const float *x, float *y, int n) { guarded_value<<<1, T>>>(x, y, n); }

// Which tile depends on the thread.
__global__ void by_thread(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'threadIdx' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + threadIdx.x) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_thread(const float *x, float *y, int n) { by_thread<<<1, T>>>(x, y, n); }

// The same through a variable.
__global__ void by_variable(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int tid = threadIdx.x;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'tid' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + tid) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_variable(const float *x, float *y, int n) { by_variable<<<1, T>>>(x, y, n); }

// The same in a function.
__device__ int lane() { return threadIdx.x % 32; }
__global__ void by_function_too(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'threadIdx' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + lane()) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_function_too(const float *x, float *y, int n) { by_function_too<<<1, T>>>(x, y, n); }

// The same in assembly.
__device__ int number() {
  int t;
  asm("mov.u32 %0, %%tid.x;" : "=r"(t));
  return t;
}
__global__ void by_register(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'tid.x' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + (i + number()) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_register(const float *x, float *y, int n) { by_register<<<1, T>>>(x, y, n); }

// All threads arrive.
__device__ inline void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
}
__global__ void __launch_bounds__(T) all_arrive(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, T);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: all threads of the block arrive at 'bar', and one of the producer's would be missing [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    } else {
      arrive(&bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_all_arrive(const float *x, float *y, int n) { all_arrive<<<1, T>>>(x, y, n); }

// Registers are limited.
__global__ void __maxnreg__(64) max_registers(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the kernel has __maxnreg__ [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_max_registers(const float *x, float *y, int n) { max_registers<<<1, T>>>(x, y, n); }

// Bounds in a macro.
#define BOUNDS __launch_bounds__(T)
__global__ void BOUNDS bounds_by_macro(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the kernel's declaration is not spelled out, but made by a macro [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_bounds_by_macro(const float *x, float *y, int n) { bounds_by_macro<<<1, T>>>(x, y, n); }

// Tiles that threads copy.
__global__ void plain(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: a producer warp is made for tiles that the copy engine brings, and threads copy this one [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * T + threadIdx.x];
    __syncthreads();
    sum += xs[T - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_plain(const float *x, float *y, int n) { plain<<<1, T>>>(x, y, n); }
