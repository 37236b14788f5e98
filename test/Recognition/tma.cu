// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that keep the copies of their threads with --copies=tma, each with its
// reason, beside one whose tile the copy engine brings.
//
// RUN: %kpipe rewrite %s --arch=sm_90 --registers=estimate --copies=tma \
// RUN:   --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s
// RUN: %kpipe rewrite %s --arch=sm_80 --registers=estimate --copies=tma \
// RUN:   --allow-occupancy-drop -o %t.80.cu 2>&1 | FileCheck --check-prefix=OLD %s

#include <cuda_fp16.h>

constexpr int T = 64, R = 16, C = 64;
__global__ void __launch_bounds__(T) brought(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_brought(const half *A, float *y, int n) { brought<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine brings As, swizzled
// OLD: note: the copy engine does not bring the tile: it needs sm_90 or newer

__global__ void __launch_bounds__(T) guarded(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      if (k0 + i % 8 * 8 < K)
        *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
      else
        *(uint4 *)&As[i / 8][i % 8 * 8] = uint4{};
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_guarded(const half *A, float *y, int n) { guarded<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its copies are guarded

__global__ void __launch_bounds__(T) narrow(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 4; i += T)
      *(uint2 *)&As[i / 16][i % 16 * 4] = *(const uint2 *)&A[(row + i / 16) * K + k0 + i % 16 * 4];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_narrow(const half *A, float *y, int n) { narrow<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is copied by 8 bytes and not by 16

__global__ void __launch_bounds__(T) moving(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  A += row * K;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[i / 8 * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_moving(const half *A, float *y, int n) { moving<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, the pointer 'A' that it is copied from changes

__global__ void __launch_bounds__(T) whole(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    sum += __half2float(*reinterpret_cast<half *>(As));
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_whole(const half *A, float *y, int n) { whole<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is used as a whole

__global__ void __launch_bounds__(T) vectors(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += reinterpret_cast<const float2 *>(&As[i][0])[3].x + float(tid);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_vectors(const half *A, float *y, int n) { vectors<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, what is read of it in line {{[0-9]+}} may be more than 16 bytes

__global__ void __launch_bounds__(T) walked(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (const half *p = &As[0][0]; p != &As[0][63]; ++p)
      sum += __half2float(*p) * float(tid);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_walked(const half *A, float *y, int n) { walked<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, the non-constant pointer 'p' points to it

__global__ void __launch_bounds__(T) columns(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C + 8];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid + 2]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_columns(const half *A, float *y, int n) { columns<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its last index in line {{[0-9]+}} may leave the row

__global__ void __launch_bounds__(T) odd_width(const half *A, float *y, int K, int M) {
  __shared__ half As[R][48];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 48) {
    for (int i = tid; i < R * 6; i += T)
      *(uint4 *)&As[i / 6][i % 6 * 8] = *(const uint4 *)&A[(row + i / 6) * K + k0 + i % 6 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid % 48]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_odd_width(const half *A, float *y, int n) { odd_width<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its rows are 96 bytes wide

__global__ void __launch_bounds__(T) few_rows(const half *A, float *y, int K, int M) {
  __shared__ half As[4][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < 32; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_few_rows(const half *A, float *y, int n) { few_rows<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its 4 rows are more than 256, or fill no multiple of 1024 bytes

__global__ void __launch_bounds__(T) transposed_in_place(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + (i + i / 8) % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_transposed_in_place(const half *A, float *y, int n) { transposed_in_place<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its elements are no rows

__global__ void __launch_bounds__(T) negative(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = M * 8; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_negative(const half *A, float *y, int n) { negative<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its row or column in global memory may be negative

__global__ void __launch_bounds__(T) unaligned_column(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = M; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_unaligned_column(const half *A, float *y, int n) { unaligned_column<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its first column in global memory may be no multiple of 16 bytes

__global__ void __launch_bounds__(T) pitch_of_block(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  const int pitch = K + 8 * blockIdx.y;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * pitch + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_pitch_of_block(const half *A, float *y, int n) { pitch_of_block<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, a launch cannot tell the distance of its rows

__global__ void __launch_bounds__(T) wraps(const half *A, float *y, unsigned K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_wraps(const half *A, float *y, int n) { wraps<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: an index of a copy may wrap around

__global__ void __launch_bounds__(T) stores_in_front(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  y[tid] = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_stores_in_front(const half *A, float *y, int n) { stores_in_front<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: before the loop has copied all, the kernel may store

__global__ void __launch_bounds__(T) effect(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_effect(const half *A, float *y, int n) { effect<<<n, T>>>(A, y, n++, n); }
// CHECK: note: the copy engine does not bring the tile: an argument of the launch in line {{[0-9]+}} may have an effect

__global__ void __launch_bounds__(T) unseen_block(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_unseen_block(const half *A, float *y, int n) { unseen_block<<<n, n>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: the size of the block is not known of every launch

__global__ void __launch_bounds__(T) from_anywhere(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
// CHECK: note: the copy engine does not bring the tile: the size of the block is not known of every launch

__global__ void __launch_bounds__(T) written_too(const half *A, float *y, int K, int M) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    As[0][tid] = As[1][tid];
    sum += __half2float(As[0][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_written_too(const half *A, float *y, int n) { written_too<<<n, T>>>(A, y, n, n); }
// CHECK: note: the copy engine does not bring the tile: of As, it is stored to in line


__global__ void __launch_bounds__(T) far_batches(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  const half *batch = A + (size_t)blockIdx.z * 67108864;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&batch[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_far_batches(const half *A, float *y, int n) { far_batches<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its row or column in global memory may not fit an int

__global__ void __launch_bounds__(T) far_by_variable(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  const int z = blockIdx.z;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(size_t)z * 67108864 + (row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_far_by_variable(const half *A, float *y, int n) { far_by_variable<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its row or column in global memory may not fit an int

__global__ void __launch_bounds__(T) far_row(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[((size_t)blockIdx.x * 1048576 + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_far_row(const half *A, float *y, int n) { far_row<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its row or column in global memory may not fit an int

// The author's int, a grid's axis, blocks side by side.
__global__ void __launch_bounds__(T) near_batches(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  const int z = blockIdx.z;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[z * 67108864 + (row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_near_batches(const half *A, float *y, int n) { near_batches<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine brings As, swizzled

__global__ void __launch_bounds__(T) near_heads(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(size_t)(row + i / 8) * K + (size_t)blockIdx.y * 128 + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_near_heads(const half *A, float *y, int n) { near_heads<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine brings As, swizzled

__global__ void __launch_bounds__(T) side_by_side(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[((size_t)blockIdx.x * R + i / 8) * K + (size_t)blockIdx.x * C + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_side_by_side(const half *A, float *y, int n) { side_by_side<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine brings As, swizzled

extern "C" __global__ void __launch_bounds__(T) by_name(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_by_name(const half *A, float *y, int n) { by_name<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: the kernel is extern "C"

__global__ void __launch_bounds__(T) counted(const half *A, float *y, int K) {
  __shared__ half As[R][C];
  const int tid = threadIdx.x, row = blockIdx.x * R;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += C) {
    for (int i = tid; i < R * C / 8; i += T)
      *(uint4 *)&As[i / 8][i % 8 * 8] = *(const uint4 *)&A[(row + i / 8) * K + k0 + i % 8 * 8];
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += __half2float(As[i++][tid]);
    __syncthreads();
  }
  y[row * 4 + tid] = sum;
}
void run_counted(const half *A, float *y, int n) { counted<<<n, T>>>(A, y, n); }
// CHECK: note: the copy engine does not bring the tile: of As, its index in line {{[0-9]+}} may have an effect
