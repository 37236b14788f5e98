// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that keep the copies of their threads with --copies=bulk, each with its
// reason, beside one whose rows the copy engine brings.
//
// RUN: %kpipe rewrite %s --arch=sm_90 --registers=estimate --copies=bulk \
// RUN:   --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s
// RUN: %kpipe rewrite %s --arch=sm_80 --registers=estimate --copies=bulk \
// RUN:   --allow-occupancy-drop -o %t.80.cu 2>&1 | FileCheck --check-prefix=OLD %s

#include <cuda_fp16.h>

constexpr int T = 64, C = 128;

__global__ void __launch_bounds__(T) brought(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_brought(const float *A, float *y, int n) { brought<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine brings the rows of As
// OLD: note: the copy engine does not bring the tile: it needs sm_90 or newer

__global__ void __launch_bounds__(T) guarded(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      if (k0 + i < n) As[i] = A[k0 + i]; else As[i] = 0;
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_guarded(const float *A, float *y, int n) { guarded<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its copies are guarded

__global__ void __launch_bounds__(T) guarded_around(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = k0 + i < n ? A[k0 + i] : 0;
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_guarded_around(const float *A, float *y, int n) { guarded_around<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its copies are guarded

__global__ void __launch_bounds__(T) shorter(const float *A, float *y, int n) {
  __shared__ float As[2][C / 2];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i / 64][i % 64] = A[i / 64 * n + k0 + i % 64];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c / 64][c % 64];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_shorter(const float *A, float *y, int n) { shorter<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows are 256 bytes long; a bulk copy pays from 512 bytes on

__global__ void __launch_bounds__(T) many(const float *A, float *y, int n) {
  __shared__ float As[33][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < 33 * C; i += T)
      As[i / C][i % C] = A[i / C * n + k0 + i % C];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[tid % 33][c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_many(const float *A, float *y, int n) { many<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: a tile takes 33 bulk copies; one thread issues 32 in time, not more

__global__ void __launch_bounds__(T) odd(const float *A, float *y, int n) {
  __shared__ float As[130];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < 130; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_odd(const float *A, float *y, int n) { odd<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows have 520 bytes; bulk copies need rows of whole 16 bytes

__global__ void __launch_bounds__(T) behind(const float *A, float *y, int n) {
  __shared__ float As[C + 1];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i + 1] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c + 1];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_behind(const float *A, float *y, int n) { behind<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows have 512 bytes; bulk copies need rows of whole 16 bytes that are aligned to 16 bytes in shared memory

__global__ void __launch_bounds__(T) partly(const float *A, float *y, int n) {
  __shared__ float As[2][C + 4];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < 2 * C; i += T)
      As[i / C][i % C] = A[i / C * n + k0 + i % C];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[tid % 2][c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_partly(const float *A, float *y, int n) { partly<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows may be unaligned in global memory, and the copies do not

__global__ void __launch_bounds__(T) computed(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = 2.0f * A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_computed(const float *A, float *y, int n) { computed<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is not filled by plain copies

__global__ void __launch_bounds__(T) converted(const float *A, float *y, int n) {
  __shared__ half As[2 * C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < 2 * C; i += T)
      As[i] = __float2half(A[k0 + i]);
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + __half2float(As[c]);
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_converted(const float *A, float *y, int n) { converted<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is not filled by plain copies

__global__ void __launch_bounds__(T) moving(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
    A += C;
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_moving(const float *A, float *y, int n) { moving<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its source depends on 'A', which the loop's body changes

__global__ void __launch_bounds__(T) stored(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  y[blockIdx.x * T + tid] = 0;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_stored(const float *A, float *y, int n) { stored<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: before the loop has copied all, the kernel may store to global memory

__global__ void __launch_bounds__(T) beside(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    sum += k0;
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_beside(const float *A, float *y, int n) { beside<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: rows may be unaligned in global memory, and other statements stand

__global__ void __launch_bounds__(T) outside(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  As[tid] = 0; __syncthreads();
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_outside(const float *A, float *y, int n) { outside<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is used outside the loop as well

__global__ void __launch_bounds__(T) leaving(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  if (tid >= n) return;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_leaving(const float *A, float *y, int n) { leaving<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: not all threads of the block may come to the loop

__global__ void __launch_bounds__(T) reversed(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + C - 1 - i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_reversed(const float *A, float *y, int n) { reversed<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows are 4 bytes long

__global__ void __launch_bounds__(T) twice(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T / 2)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_twice(const float *A, float *y, int n) { twice<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, an element is stored twice

__global__ void anyblock(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_anyblock(const float *A, float *y, int n) { anyblock<<<n, n>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: the size of the block is not known of every launch

__global__ void __launch_bounds__(T) wraps(const float *A, float *y, int n, unsigned first) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[size_t(first * 3u) * n + k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_wraps(const float *A, float *y, int n, unsigned first) { wraps<<<n, T>>>(A, y, n, first); }
// CHECK: note: the copy engine does not bring the tile: of As, an index of a copy may wrap around

__global__ void __launch_bounds__(T) nowhere(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = n; k0 < 9 * n; k0 += 3) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_nowhere(const float *A, float *y, int n) { nowhere<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, nothing in front of the loop can tell that its rows are aligned

__global__ void __launch_bounds__(T) turning(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  while (n > 0) {
    for (int i = tid; i < C; i += T)
      As[i] = A[n * C + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
    __syncthreads();
    --n;
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_turning(const float *A, float *y, int n) { turning<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: the loop is no for loop

__global__ void __launch_bounds__(T) first(const float *A, float *y, int n) {
  __shared__ float As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    __syncthreads();
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c];
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_first(const float *A, float *y, int n) { first<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: the loop begins with a barrier

__global__ void __launch_bounds__(T) between(const float4 *A, float *y, int n) {
  __shared__ float4 As[C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += C) {
    for (int i = tid; i < C; i += T)
      As[i] = A[k0 + i];
    sum += k0;
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[c].x;
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
void run_between(const float4 *A, float *y, int n) { between<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: other statements stand between its copies
