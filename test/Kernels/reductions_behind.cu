// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of the block behind the loop, by loops of their own in the block of the
// tiles: they are none of tiles, and mean the last stage.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 4
//
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --allow-occupancy-drop 2>/dev/null | %code | FileCheck %s

__global__ void __launch_bounds__(256)
tree(const float *__restrict__ x, const float *__restrict__ w,
     float *__restrict__ y, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += 256) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      acc += s[(t + j) % 256] * w[j];
    __syncthreads();
  }
  // CHECK: kpipe::advance_bytes(s, stage * stage_bytes)[t] = acc;
  s[t] = acc;
  __syncthreads();
  for (int o = 128; o > 0; o >>= 1) {
    if (t < o)
      // CHECK: kpipe::advance_bytes(s, stage * stage_bytes)[t] +=
      s[t] += s[t + o];
    __syncthreads();
  }
  if (t == 0)
    *y = s[0];
}

// Of the whole block, of which the tiles are two parts.
__global__ void __launch_bounds__(256)
of_parts(const float *__restrict__ x, const float *__restrict__ w,
         float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *xs = smem, *ws = smem + 256;
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    ws[t] = w[k + t];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      acc += xs[(t + j) % 256] * ws[(t * j) % 256];
    __syncthreads();
  }
  smem[t] = acc;
  __syncthreads();
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o)
      smem[t] += smem[t + o];
    __syncthreads();
  }
  if (t == 0)
    y[0] = smem[0];
}

// Two of them, one after the other.
__global__ void __launch_bounds__(128)
sum_and_most(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float part[];
  int t = threadIdx.x;
  float sum = 0, most = -1e30f;
  for (int k = 0; k < n; k += 128) {
    part[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 8; ++j) {
      sum += part[(t + j) & 127];
      most = fmaxf(most, part[(t * j) & 127]);
    }
    __syncthreads();
  }
  part[t] = sum;
  __syncthreads();
  for (int o = 64; o > 0; o /= 2) {
    if (t < o)
      part[t] += part[t + o];
    __syncthreads();
  }
  float total = part[0];
  __syncthreads();
  part[t] = most;
  __syncthreads();
  for (int o = 64; o > 0; o /= 2) {
    if (t < o)
      part[t] = fmaxf(part[t], part[t + o]);
    __syncthreads();
  }
  if (t == 0) {
    y[0] = total;
    y[1] = part[0];
  }
}

// Row after row.
__global__ void __launch_bounds__(128)
rows(const float *__restrict__ x, float *__restrict__ y, int n, int rows) {
  extern __shared__ float row[];
  int t = threadIdx.x;
  for (int r = 0; r < rows; ++r) {
    float acc = 0;
    for (int k = 0; k < n; k += 128) {
      row[t] = x[r * n + k + t];
      __syncthreads();
      for (int j = 0; j < 8; ++j)
        acc += row[(t + j) & 127] * float(j);
      __syncthreads();
    }
    row[t] = acc;
    __syncthreads();
    for (int o = 64; o > 0; o >>= 1) {
      if (t < o)
        row[t] += row[t + o];
      __syncthreads();
    }
    if (t == 0)
      y[r] = row[0];
    __syncthreads();
  }
}

void run_tree(const float *x, const float *w, float *y, int n) {
  tree<<<1, 256, 256 * sizeof(float)>>>(x, w, y, n);
}
void run_of_parts(const float *x, const float *w, float *y, int n) {
  of_parts<<<1, 256, 512 * sizeof(float)>>>(x, w, y, n);
}
void run_sum_and_most(const float *x, float *y, int n) {
  sum_and_most<<<1, 128, 128 * sizeof(float)>>>(x, y, n);
}
void run_rows(const float *x, float *y, int n, int r) {
  rows<<<1, 128, 128 * sizeof(float)>>>(x, y, n, r);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(tree) {
  for (int n : multiples(256)) {
    auto x = in<float>("x", n), w = in<float>("w", 16), y = out<float>("y", 1);
    run_tree(x, w, y, n);
  }
}
CASE(of_parts) {
  for (int n : multiples(256)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", 1);
    run_of_parts(x, w, y, n);
  }
}
CASE(sum_and_most) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n), y = out<float>("y", 2);
    run_sum_and_most(x, y, n);
  }
}
CASE(rows) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", 5 * n), y = out<float>("y", 5);
    run_rows(x, y, n, 5);
  }
}
#endif
