// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When rows of a staged array stay as they are although --pad asks for longer
// ones: some use of it could mean another element then. The loops are pipelined
// all the same.
// RUN: %kpipe rewrite %s --arch=sm_86 --pad=always --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s
// RUN: not grep '__shared__.*+ [0-9]*\]' %t.cu

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
constexpr int T = 32;

// An index that runs over all of the array.
__global__ void __launch_bounds__(32) flat(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+2]] may leave the row
    for (int k = 0; k < T; ++k)
      sum += As[0][k * T + t];
    __syncthreads();
  }
  y[t] = sum;
}

// An index that may leave its row at the last thread.
__global__ void __launch_bounds__(32) offset(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+1]] may leave the row
    sum += As[t / 2][t + 1];
    __syncthreads();
  }
  y[t] = sum;
}

// A loop that goes one element too far in its last turn.
__global__ void __launch_bounds__(32) one_more(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+2]] may leave the row
    for (int k = 0; k < T + 1; ++k)
      sum += As[t / 2][k];
    __syncthreads();
  }
  y[t] = sum;
}

// Four elements at once, of which the last may lie in the next row.
__global__ void __launch_bounds__(32) wide(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+1]] may leave the row
    sum += (*(float2 *)&As[t][t / 2 * 2 % 32 + (K > 7 ? 2 : 0)]).x;
    __syncthreads();
  }
  y[t] = sum;
}

// An index that nothing bounds.
__global__ void __launch_bounds__(32) unknown(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+1]] may leave the row
    sum += As[t][K - 1];
    __syncthreads();
  }
  y[t] = sum;
}

// A pointer that walks.
__global__ void __launch_bounds__(32) moving(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: the non-constant pointer 'p' points to it in line [[@LINE+1]]
    const float *p = &As[0][t];
    for (int k = 0; k < T; ++k, p += T)
      sum += *p;
    __syncthreads();
  }
  y[t] = sum;
}

// A pointer that is computed with.
__global__ void __launch_bounds__(32) computed(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: a pointer to it is kept or used in arithmetic in line [[@LINE+1]]
    sum += *(&As[0][0] + t * T);
    __syncthreads();
  }
  y[t] = sum;
}

// The array as one long row.
__global__ void __launch_bounds__(32) whole(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: it is used as a whole, not element by element in line [[@LINE+1]]
    sum += ((float *)As)[t * T];
    __syncthreads();
  }
  y[t] = sum;
}

// Its size is asked for.
__global__ void __launch_bounds__(32) size(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: it is used as a whole, not element by element in line [[@LINE+1]]
    sum += sizeof(As) / sizeof(float);
    __syncthreads();
  }
  y[t] = sum;
}

// A row is given away as an array.
__device__ float first(const float (&row)[T]) { return row[0]; }
__global__ void __launch_bounds__(32) rows(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: a row of it is used as an array in line [[@LINE+1]]
    sum += first(As[t]);
    __syncthreads();
  }
  y[t] = sum;
}

// A function indexes from an element on.
__device__ float at(const float *p, int i) { return p[i]; }
__global__ void __launch_bounds__(32) given(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: a pointer to it is kept or used in arithmetic in line [[@LINE+1]]
    sum += at(&As[0][0], t * T);
    __syncthreads();
  }
  y[t] = sum;
}

// A lambda uses it.
__global__ void __launch_bounds__(32) lambda(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: a lambda uses it in line [[@LINE+1]]
    auto first = [&](int r) { return As[r][0]; };
    sum += first(t);
    __syncthreads();
  }
  y[t] = sum;
}

// A row has a second name.
__global__ void __launch_bounds__(32) named(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    // CHECK: note: rows of 'As' are not padded: a row of it is used as an array in line [[@LINE+1]]
    float (&row)[T] = As[t];
    sum += row[0];
    __syncthreads();
  }
  y[t] = sum;
}

// The distance of rows that wmma is given is not the length of its rows.
__global__ void __launch_bounds__(32) other_distance(const half *A, float *C, int K) {
  __shared__ __align__(32) half As[32][32];
  const int t = threadIdx.x;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = 0; r < 32; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    // CHECK: note: rows of 'As' are not padded: the row stride in line [[@LINE+1]] is not the length of its rows
    wmma::load_matrix_sync(a, &As[0][0], 64); // every second row
    wmma::load_matrix_sync(b, &As[0][16], 32);
    wmma::mma_sync(acc, a, b, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(C, acc, 16, wmma::mem_row_major);
}

// The distance stands in the text of a macro, which is not edited.
#define LOAD(f, p) wmma::load_matrix_sync(f, p, 32)
__global__ void __launch_bounds__(32) hidden_distance(const half *A, float *C, int K) {
  __shared__ __align__(32) half As[32][32];
  const int t = threadIdx.x;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = 0; r < 32; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    // CHECK: note: rows of 'As' are not padded: the row stride in line [[@LINE+1]] is hidden in a macro
    LOAD(a, &As[0][0]);
    LOAD(b, &As[16][0]);
    wmma::mma_sync(acc, a, b, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(C, acc, 16, wmma::mem_row_major);
}

// A matrix that is wider than a row goes on in the next.
__global__ void __launch_bounds__(32) wider_matrix(const half *A, float *C, int K) {
  __shared__ __align__(32) half As[32][32];
  const int t = threadIdx.x;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = 0; r < 32; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    for (int k = 0; k < 32; k += 8) {
      // CHECK: note: rows of 'As' are not padded: its last index in line [[@LINE+1]] may leave the row
      wmma::load_matrix_sync(a, &As[0][k], 32);
      wmma::load_matrix_sync(b, &As[0][0], 32);
      wmma::mma_sync(acc, a, b, acc);
    }
    __syncthreads();
  }
  wmma::store_matrix_sync(C, acc, 16, wmma::mem_row_major);
}

// A type's name holds the extents.
using Tile = float[T][T];
__global__ void __launch_bounds__(32) named_type(const float *A, float *y, int K) {
  __shared__ Tile As;
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: its extents are hidden in a macro or a type alias
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  y[t] = sum;
}

// Rows that the author makes of one dimension.
__global__ void __launch_bounds__(32) one_dimension(const float *A, float *y, int K) {
  __shared__ float As[T * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r * T + t] = A[r * K + k0 + t];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: it has one dimension, and its rows exist only in index arithmetic
    for (int k = 0; k < T; ++k)
      sum += As[t * T + k];
    __syncthreads();
  }
  y[t] = sum;
}

// Two loops fill one array: both would have to agree.
__global__ void __launch_bounds__(32) two_loops(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: another loop fills it too
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[(r + T) * K + k0 + t];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: another loop fills it too
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  y[t] = sum;
}

// Instantiations of one text want different rows.
template <int Columns>
__global__ void __launch_bounds__(32) different(const float *A, float *y, int K) {
  __shared__ float As[32][Columns];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += Columns) {
    for (int i = t; i < 32 * Columns; i += 32)
      As[i / Columns][i % Columns] = A[i / Columns * K + k0 + i % Columns];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: another instantiation of the template needs other rows{{$}}
    for (int k = 0; k < Columns; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void different<32>(const float *, float *, int);
template __global__ void different<33>(const float *, float *, int);

// One instantiation leaves a use out, which stands in the text for the other.
template <bool Flat>
__global__ void __launch_bounds__(32) left_out(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    // CHECK: note: rows of 'As' are not padded: an instantiation leaves out its use in line [[@LINE+2]]
    if constexpr (Flat)
      sum += As[0][t * T];
    else
      sum += As[t][0];
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void left_out<false>(const float *, float *, int);
