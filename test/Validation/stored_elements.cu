// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running the tiles of a ring finds by itself, with the decision on stored
// elements switched off: a tile, or a run of the loop, that leaves elements out.
// Beside each stand twins that store all of them.
// RUN: env KPIPE_RULES_OFF=stored-elements %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=warning:

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *x, const int *mask, float *y, int n, int rows)
#define SUM                                                                    \
  for (int i = 0; i < T; ++i)                                                  \
    sum += xs[i] * (i ^ t);

// What a tile changes decides in the bound of an inner loop,
KERNEL(by_bound) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = t; i < T && k + i < n; i += T)
      xs[i] = x[k + i];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile and not for a later one
    __syncthreads();
    SUM __syncthreads();
  }
  y[blockIdx.x * T + t] = sum;
}

// by another name,
KERNEL(by_number) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const int rest = n - k;
    if (t < rest)
      xs[t] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile and not for a later one
    __syncthreads();
    SUM __syncthreads();
  }
  y[blockIdx.x * T + t] = sum;
}

// or in its step.
KERNEL(by_step) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 2 * T) {
    for (int i = t; i < 2 * T; i += k > 0 ? 2 * T : T)
      xs[i] = x[k + i];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile and not for a later one
    __syncthreads();
    SUM __syncthreads();
  }
  y[blockIdx.x * T + t] = sum;
}

// The last tile, with one word for what is left out and one for a cure.
KERNEL(by_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      xs[t] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile and not for a later one, which would find what a tile 2 before it left there [kpipe-memory-order]
    // CHECK: stored_elements.cu:[[@LINE-2]]:7: note: store every element of a tile, zero where there is nothing to load, or use --stages=1
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_tile_filled) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: stored_elements.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    if (k + t < n)
      xs[t] = x[k + t];
    else
      xs[t] = 0;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}

// A while loop; a place instead of a condition; what a table of the host says.
KERNEL(by_while) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int k = 0;
  while (k < n) {
    if (k + t < n)
      xs[t] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile
    // CHECK: note:
    __syncthreads();
    SUM __syncthreads();
    k += T;
  }
  y[t] = sum;
}
KERNEL(by_place) {
  __shared__ float xs[T + 1];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[t + k / T % 2] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:5: warning: not pipelined: byte 0 of 'xs' is stored here for one tile
    // CHECK: note:
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_other_threads) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: stored_elements.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[(t + k / T) % T] = x[k + t];
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_mask) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (mask[k + t])
      xs[t] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile
    // CHECK: note:
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_mask_of_all_tiles) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: stored_elements.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    if (mask[t])
      xs[t] = x[k + t];
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}

// Another run of the loop: of a loop around it, of one between, by a variable
// that is set on the way, in a helper.
KERNEL(by_row) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      if (row + t < rows)
        xs[t] = x[row * n + k + t];
      // CHECK: stored_elements.cu:[[@LINE-1]]:9: warning: not pipelined: byte {{[0-9]+}} of 'xs' is not stored here in every run of the loop; a tile that does not store it would find what a tile 2 before it left there [kpipe-memory-order]
      // CHECK: note:
      __syncthreads();
      SUM __syncthreads();
    }
    y[row * T + t] = sum;
  }
}
KERNEL(by_row_filled) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      // CHECK: stored_elements.cu:[[@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs
      xs[t] = row + t < rows ? x[row * n + k + t] : 0.f;
      __syncthreads();
      SUM __syncthreads();
    }
    y[row * T + t] = sum;
  }
}
KERNEL(by_loop_between) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int o = 0; o < 2; ++o)
    for (int p = 0; p < 2; ++p)
      for (int k = 0; k < n; k += T) {
        if (p == 0 || t % 3)
          xs[t] = x[k + t] * o;
        // CHECK: stored_elements.cu:[[@LINE-1]]:11: warning: not pipelined: byte {{[0-9]+}} of 'xs' is not stored here in every run
        // CHECK: note:
        __syncthreads();
        SUM __syncthreads();
      }
  y[t] = sum;
}
__device__ void fill(float *to, const float *from, int stored) {
  if (threadIdx.x < stored)
    to[threadIdx.x] = from[threadIdx.x] * 2;
  // CHECK: stored_elements.cu:[[@LINE-1]]:5: warning: not pipelined: byte {{[0-9]+}} of 'xs' is not stored here in every run
  // CHECK: note:
}
KERNEL(by_helper) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int o = 0; o < 2; ++o) {
    int stored = min(T, rows);
    if (o)
      stored /= 2;
    for (int k = 0; k < n; k += T) {
      fill(xs, x + k, stored);
      __syncthreads();
      SUM __syncthreads();
    }
  }
  y[t] = sum;
}
// The same number in each run, though it is set on the way there.
KERNEL(by_number_of_the_host) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int o = 0; o < 2; ++o) {
    int stored = rows;
    if (stored > T)
      stored = T;
    for (int k = 0; k < n; k += T) {
      // CHECK: stored_elements.cu:[[@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs
      if (t < stored)
        xs[t] = x[k + t] * o;
      __syncthreads();
      SUM __syncthreads();
    }
  }
  y[t] = sum;
}

// Stored either way: whether the one store or the other is run nobody knows.
KERNEL(by_unknown_condition) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: stored_elements.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    if (k == 0 || x[t] > 0)
      xs[t] = x[k + t];
    else
      xs[t] = 0;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
// A block has 64 threads at most, which only the array tells.
__global__ void of_any_block(const float *x, float *y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      xs[t] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:7: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile
    // CHECK: note:
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
// Places that a table says, of each tile and of all.
KERNEL(by_table) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[mask[k + t]] = x[k + t];
    // CHECK: stored_elements.cu:[[@LINE-1]]:5: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile
    // CHECK: note:
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_table_of_all_tiles) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: stored_elements.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[mask[t]] = x[k + t];
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
