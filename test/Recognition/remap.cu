// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes whose copies stay as they are with --copies=remap, each with its reason,
// beside one that is remapped.
//
// RUN: %kpipe rewrite %s --arch=sm_86 --registers=estimate --copies=remap \
// RUN:   --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s

constexpr int T = 64, R = 16, C = 32;
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ A, float *__restrict__ y, int M, int K)

KERNEL(remapped) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are made in pieces of 16 bytes where rows are aligned

KERNEL(halo) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C + 1];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: nothing in front of the loop can tell

KERNEL(steps) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 6) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: nothing in front of the loop can tell

KERNEL(bound) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = k0 + i % C <= K ? A[i / C * K + k0 + i % C] : 0.0f;
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: its guard may end within 16 bytes

KERNEL(lowerBound) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = -1 < k0 + i % C - 2 ? A[i / C * K + k0 + i % C] : 0.0f;
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: its guard may end within 16 bytes

KERNEL(wrapping) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + (size_t)((unsigned)k0 + i % C - 2u) + 2];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: an index of its copy may wrap around

KERNEL(oddRows) {
  __shared__ float As[R][C + 1];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: a row begins at byte 132 of the array

KERNEL(shifted) {
  __shared__ float As[R][C + 4];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C + 1] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: a row begins at byte 4 of the array

KERNEL(narrow) {
  __shared__ float As[R][20];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 18) {
    for (int i = tid; i < R * 18; i += T)
      As[i / 18][i % 18] = A[i / 18 * K + k0 + i % 18];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % 18];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: its rows of 18 are no multiple of 4 elements

KERNEL(usedBehind) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  sum += As[0][tid % C];
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: it is used outside the loop as well

KERNEL(left) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  if (tid >= M)
    return;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: not all threads of the block may come to the loop

KERNEL(swizzledRows) {
  __shared__ float As[R][C];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C ^ 1][i % C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are not remapped: its elements are no rows

// One of two arrays.
KERNEL(transposed) {
  __shared__ float As[R][C], Bs[C][R];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * K + k0 + i % C];
    for (int i = tid; i < R * C; i += T)
      Bs[i % C][i / C] = A[i / C * K + k0 + i % C];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % C] * Bs[tid % C][i];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: note: the copies of As are made
// CHECK: note: the copies of Bs are not remapped: its elements are no rows
