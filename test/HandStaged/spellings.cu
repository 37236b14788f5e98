// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are staged by hand, in the usual spellings, are recognised with
// their stages and the way of their copies, and stay as they are. Their
// neighbours below are no pipelines: what is said of them is what was said.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=already
// RUN: %kpipe analyze --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: 19 loops: 8 refused, 11 already pipelined

#include <cuda_pipeline.h>

constexpr int T = 64;

// The index of the tile chooses, and the last tile is computed behind the loop.
__global__ void index_of_tile(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float next, sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < n / T; k++) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    int now = (k - 1) & 1;
    int other = k & 1;
    next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[now][j] * float(threadIdx.x ^ j);
    s[other][threadIdx.x] = next;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += s[(n / T - 1) & 1][j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}

// A variable flips, the load has a guard, and the barrier comes first.
__global__ void flips(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  __pipeline_memcpy_async(&s[stage][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < n; k += T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, cp.async [kpipe-already-pipelined]
    __pipeline_wait_prior(0);
    __syncthreads();
    if (k + T < n)
      __pipeline_memcpy_async(&s[stage ^ 1][threadIdx.x],
                              &x[k + T + threadIdx.x], 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// Two indices, a do loop, and registers that are stored where there was a tile.
__global__ void write_index(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float reg[1];
  float sum = 0;
  int write_stage_idx = 1, tile_idx = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  do {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    tile_idx += T;
    if (tile_idx < n)
      reg[0] = x[tile_idx + threadIdx.x];
    int load_stage_idx = write_stage_idx ^ 1;
    for (int j = 0; j < T; ++j)
      sum += s[load_stage_idx][j] * float(threadIdx.x ^ j);
    if (tile_idx < n) {
      s[write_stage_idx][threadIdx.x] = reg[0];
      __syncthreads();
      write_stage_idx ^= 1;
    }
  } while (tile_idx < n);
  y[threadIdx.x] = sum;
}

// Two arrays change places.
__global__ void swap(const float *x, float *y, int n) {
  __shared__ float a[T], b[T];
  float *now = a, *other = b;
  float sum = 0;
  now[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    float next = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += now[j] * float(threadIdx.x ^ j);
    other[threadIdx.x] = next;
    float *t = now;
    now = other;
    other = t;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += now[j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}

// A ring in one block of bytes, whose addresses are numbers.
__global__ void numbers(const float *x, float *y, int n) {
  __shared__ float s[3 * T];
  const int tiles = n / T;
  unsigned base = __cvta_generic_to_shared(s);
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    unsigned at = base + (k * T + threadIdx.x) * sizeof(float);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at),
                 "l"(&x[k * T + threadIdx.x]));
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group 1;");
  __syncthreads();
  for (int k = 2; k < tiles; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 3 stages, cp.async [kpipe-already-pipelined]
    int now = (k + 1) % 3, other = k % 3;
    unsigned at = base + (other * T + threadIdx.x) * sizeof(float);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at),
                 "l"(&x[k * T + threadIdx.x]));
    asm volatile("cp.async.commit_group;");
    for (int j = 0; j < T; ++j)
      sum += s[now * T + j] * float(threadIdx.x ^ j);
    asm volatile("cp.async.wait_group 1;");
    __syncthreads();
  }
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < T; ++j)
      sum += s[(tiles - 2 + k) % 3 * T + j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}

// One array by cp.async, one by registers, each turn waits for both.
__global__ void both(const float *x, float *y, int n) {
  __shared__ float s[2][T], r[2][T];
  float sum = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  r[0][threadIdx.x] = 2 * x[n + threadIdx.x];
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 1; k < n / T; k++) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, cp.async and registers [kpipe-already-pipelined]
    int now = (k - 1) % 2, other = k % 2;
    __pipeline_memcpy_async(&s[other][threadIdx.x], &x[k * T + threadIdx.x], 4);
    __pipeline_commit();
    float next = x[n + k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[now][j] * r[now][j ^ threadIdx.x];
    r[other][threadIdx.x] = 2 * next;
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  int last = (n / T - 1) % 2;
  for (int j = 0; j < T; ++j)
    sum += s[last][j] * r[last][j ^ threadIdx.x];
  y[threadIdx.x] = sum;
}

// One buffer: the next tile waits in a register until all have read this one.
__global__ void one_buffer(const float *x, float *y, int n) {
  __shared__ float s[T];
  float sum = 0;
  float next = x[threadIdx.x];
  s[threadIdx.x] = next;
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: one buffer, registers [kpipe-already-pipelined]
    next = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[j] * float(threadIdx.x ^ j);
    __syncthreads();
    s[threadIdx.x] = next;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += s[j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}

__device__ void fill(float *to, const float *from) { to[threadIdx.x] = *from; }
__device__ float dot(const float *s) {
  float sum = 0;
  for (int j = 0; j < T; ++j)
    sum += s[j] * float(threadIdx.x ^ j);
  return sum;
}

// Helpers are given a stage.
__global__ void helpers(const float *x, float *y, int n) {
  __shared__ float s[2 * T];
  float sum = 0;
  fill(s, x + threadIdx.x);
  __syncthreads();
  int at = 0;
  for (int k = 0; k < n; k += T, at ^= T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    if (k + T < n)
      fill(s + (at ^ T), x + k + T + threadIdx.x);
    sum += dot(s + at);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Instances of one text may have other numbers of stages.
template <int Stages>
__global__ void instances(const float *x, float *y, int n) {
  __shared__ float s[Stages][T];
  float sum = 0;
  for (int k = 0; k < Stages - 1; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &x[k * T + threadIdx.x], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < n / T; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 to 4 stages, cp.async [kpipe-already-pipelined]
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    if (k + Stages - 1 < n / T)
      __pipeline_memcpy_async(&s[(k + Stages - 1) % Stages][threadIdx.x],
                              &x[(k + Stages - 1) * T + threadIdx.x], 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[k % Stages][j] * float(threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}
template __global__ void instances<2>(const float *, float *, int);
template __global__ void instances<3>(const float *, float *, int);
template __global__ void instances<4>(const float *, float *, int);

// The wait lets the group be on its way that this turn commits, a turn before its
// tile is read.
__global__ void waits_for_older(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < n / T; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, cp.async [kpipe-already-pipelined]
    if (k + 1 < n / T)
      __pipeline_memcpy_async(&s[(k + 1) % 2][threadIdx.x],
                              &x[(k + 1) * T + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[k % 2][j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A constant chooses which way the tile is read.
template <bool Forward>
__global__ void either_way(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k + 1 < n / T; k++) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    float next = x[(k + 1) * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += (Forward ? s[k & 1][j] : s[k & 1][T - 1 - j]) *
             float(threadIdx.x ^ j);
    s[(k + 1) & 1][threadIdx.x] = next;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += s[(n / T - 1) & 1][j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}
template __global__ void either_way<true>(const float *, float *, int);

// Two buffers save a barrier; nothing is loaded ahead.
__global__ void takes_turns(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    s[stage][threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// What is stored comes from shared memory: a scan.
__global__ void scan(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  int in = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < n; k *= 2) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    float v = s[in][threadIdx.x] + x[k];
    if (int(threadIdx.x) >= k)
      v += s[in][threadIdx.x - k];
    s[in ^ 1][threadIdx.x] = v;
    in ^= 1;
    __syncthreads();
  }
  y[threadIdx.x] = s[in][threadIdx.x];
}

// Planes march through a ring, but each is loaded where it is needed.
__global__ void planes(const float *x, float *y, int n) {
  __shared__ float s[3][T];
  s[0][threadIdx.x] = 0;
  s[1][threadIdx.x] = 0;
  s[2][threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    s[k % 3][threadIdx.x] = x[k * T + threadIdx.x];
    __syncthreads();
    y[k * T + threadIdx.x] = s[k % 3][threadIdx.x ^ 1] +
                             s[(k + 1) % 3][threadIdx.x] +
                             s[(k + 2) % 3][threadIdx.x];
  }
}

// Memory says which buffer: that is not known.
__global__ void told_by_memory(const float *x, const int *which, float *y,
                               int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k + 1 < n / T; k++) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    float next = x[(k + 1) * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[which[k]][j] * float(threadIdx.x ^ j);
    s[which[k + 1]][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The tile that the loop stages, and besides one element of a tile that memory
// names: it may be of the one that was loaded just now.
__global__ void one_told_by_memory(const float *x, const int *which, float *y,
                                   int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k + 1 < n / T; k++) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    float next = x[(k + 1) * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[k & 1][j] * float(threadIdx.x ^ j);
    sum += s[which[k]][threadIdx.x];
    s[(k + 1) & 1][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Each turn loads something, but what it stores hangs on what it reads.
__global__ void relaxation(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    float v = x[(k + 1) * T + threadIdx.x];
    v += s[k & 1][threadIdx.x ^ 1];
    s[(k + 1) & 1][threadIdx.x] = v;
    __syncthreads();
  }
  y[threadIdx.x] = s[n & 1][threadIdx.x];
}

// Before the barrier each thread reads its own element of the tile that it has
// just stored: no tile is on its way then.
__global__ void own_element(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  for (int k = 0; k < n / T; ++k) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    s[k & 1][threadIdx.x] = x[k * T + threadIdx.x];
    sum += 2 * s[k & 1][threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[k & 1][j] * float(threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

// No barrier stands before the store to the one buffer: others may still read.
__global__ void one_buffer_too_early(const float *x, float *y, int n) {
  __shared__ float s[T];
  float sum = 0;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: spellings.cu:[[#@LINE-1]]:3: warning: not pipelined:
    float next = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[j] * float(threadIdx.x ^ j);
    s[threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
