// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part: by rows of threads, in blocks of a size
// that is certain, and by tests in numbers of other types than the tile's.
// REQUIRES: executor
// RUN: %variants --at-least=7 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=cp-async --stages=3 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// CHECK-COUNT-7: remark: pipelined K-loop: 3 stages of

#include <cuda_runtime.h>

constexpr int T = 32, CL = 8;

struct Entry {
  int begin, end;
};

// Pairs of clusters: a row of threads loads a cluster.
static __global__ void clusters(const float *__restrict__ x, const int *__restrict__ list,
                                const Entry *__restrict__ entries, float *__restrict__ y) {
  __shared__ float xj[64];
  __shared__ int masks[CL];
  const int tid = threadIdx.y * CL + threadIdx.x;
  const Entry e = entries[blockIdx.x];
  float sum = 0;
  for (int cjb = e.begin; cjb < e.end; cjb += CL) {
    const int c = cjb + threadIdx.y;
    if (c < e.end) {
      xj[tid] = x[list[c] * CL + threadIdx.x];
      if (threadIdx.x == 0)
        masks[threadIdx.y] = list[c];
    }
    __syncthreads();
    const int nc = min(CL, e.end - cjb);
    for (int jc = 0; jc < nc; jc++)
      for (int jj = 0; jj < CL; jj++)
        if (masks[jc] >> jj & 1)
          sum = sum * 0.5f + xj[jc * CL + jj];
    __syncthreads();
  }
  y[blockIdx.x * 64 + tid] = sum;
}

// The same in one expression.
static __global__ void rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int k = 0; k < n; k += CL) {
    if (k + (int)threadIdx.y < n)
      s[threadIdx.y * CL + threadIdx.x] = x[(k + threadIdx.y) * CL + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < CL && k + r < n; ++r)
      for (int c = 0; c < CL; ++c)
        sum = sum * 0.5f + s[r * CL + c];
    __syncthreads();
  }
  y[threadIdx.y * CL + threadIdx.x] = sum;
}

void launched(const float *x, const int *list, const Entry *entries, float *y, int n) {
  clusters<<<n, dim3(CL, CL)>>>(x, list, entries, y);
  rows<<<1, dim3(CL, CL)>>>(x, y, n);
}

// The test is unsigned, the loop begins where the block does.
__global__ void from_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  const int j = blockIdx.x * T + threadIdx.x;
  float sum = 0;
  for (int i0 = blockIdx.x * T; i0 < n; i0 += T) {
    if (i0 + threadIdx.x < n)
      s[threadIdx.x] = x[i0 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < T && i0 + r < n; ++r) {
      if (i0 + r < j)
        continue;
      sum = sum * 0.5f + s[r];
    }
    __syncthreads();
  }
  y[j] = sum;
}

// 64 bits beside 32.
__global__ void digests(const float *__restrict__ x, float *__restrict__ y, unsigned count) {
  __shared__ float s[2 * T];
  const unsigned long long lid = threadIdx.x, lsz = blockDim.x;
  float sum = 0;
  for (unsigned base = 0; base < count; base += 2 * T) {
    for (unsigned long long i = lid; i < 2 * T; i += lsz)
      if (base + i < count)
        s[i] = x[base + i];
    __syncthreads();
    const unsigned n = (count - base < 2 * T) ? count - base : 2 * T;
    for (unsigned j = 0; j < n; j++)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A row's part of long numbers, as an int.
template <typename Id>
__global__ void row(const Id *__restrict__ begins, const float *__restrict__ x,
                    float *__restrict__ y, long long features) {
  __shared__ float s[T];
  const Id start = __ldg(begins + blockIdx.x), end = __ldg(begins + blockIdx.x + 1);
  for (long long f0 = 0; f0 < features; f0 += blockDim.x) {
    float sum = 0;
    for (Id base = start; base < end; base += T) {
      const Id e = base + threadIdx.x;
      if (threadIdx.x < T && e < end)
        s[threadIdx.x] = __ldg(x + e);
      __syncthreads();
      const int n = static_cast<int>(end - base < T ? end - base : T);
      for (int i = 0; i < n; ++i)
        sum = sum * 0.5f + s[i] * (f0 + 1);
      __syncthreads();
    }
    y[(blockIdx.x * features + f0) + threadIdx.x] = sum;
  }
}

template __global__ void row<long long>(const long long *, const float *, float *, long long);

// Unsigned sizes, and what is left as an int.
__global__ void sizes(const float *__restrict__ x, float *__restrict__ y, size_t n) {
  __shared__ float s[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (size_t k = 0; k < n; k += T) {
    const int left = n - k < T ? n - k : T;
    if (t < left)
      s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < left; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[t] = sum;
}

// The block's size, and a number of it that is an int.
__global__ void ints(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (size_t k = 0; k < n; k += T) {
    if (k + threadIdx.x < n)
      s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (size_t j = 0; j < T && k + j < n; ++j)
      sum = sum * 0.5f + s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a file of its own: what names a kernel may launch it, in blocks of any size.
#ifdef KPIPE_HARNESS
#include "Inputs/partial_threads.h"
#endif
