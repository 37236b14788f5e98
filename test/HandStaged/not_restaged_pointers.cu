// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neighbours of loops whose pointers change places, and of loops that wait for
// older groups: each has a mistake, or is not proved, and keeps its author's
// stages.
//
// RUN: %kpipe rewrite --restage --verbose --arch=sm_86 %s -o %t.cu 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="pipelined K-loop"
// RUN: diff %s %t.cu

#include <cstdint>

#define CP_ASYNC(dst, src)                                                     \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(             \
                   static_cast<uint32_t>(__cvta_generic_to_shared(dst))),      \
               "l"(src))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int T = 128;

// The last turns commit nothing, so that one group may still be in flight.
// CHECK: :[[#@LINE+15]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void misses_last_commit(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_COMMIT();
    }
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// Two groups may be in flight, and there are no more.
// CHECK: :[[#@LINE+14]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void waits_for_none(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(2);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The copies overtake slow threads: no barrier behind what is computed.
// CHECK: :[[#@LINE+9]]:7: note: its author's stages stay: {{.*}}: a copy goes to a buffer here that other threads may still read
__global__ void misses_second_barrier(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The wait for all is in the wrong branch.
// CHECK: :[[#@LINE+17]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void waits_exchanged(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_COMMIT();
      CP_WAIT_GROUP(0);
    } else {
      CP_WAIT_GROUP(1);
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The turn reads what it copies to.
// CHECK: :[[#@LINE+14]]:14: note: its author's stages stay: {{.*}}: a tile is read here before its copies are waited for and a barrier follows
__global__ void reads_next(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += next[j] * float(threadIdx.x ^ j);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}

// They never change places.
// CHECK: :[[#@LINE+7]]:3: note: its author's stages stay:
__global__ void never_swapped(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One of them is lost.
// CHECK: :[[#@LINE+9]]:7: note: its author's stages stay:
__global__ void loses_one(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = next;
  }
  y[threadIdx.x] = sum;
}

// The last stage is hard-coded: the right one for an odd number of tiles.
// CHECK: :[[#@LINE+20]]:26: note: its author's stages stay: {{.*}}'s' is used here as well
__global__ void last_by_number(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum + s[0][threadIdx.x ^ 1];
}

// The last tile by the pointer that holds it.
// CHECK: :[[#@LINE+20]]:26: note: its author's stages stay: {{.*}}'next' is used here as well
__global__ void last_by_pointer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum + next[threadIdx.x ^ 1];
}

// The load behind the last tile.
// CHECK: :[[#@LINE+8]]:9: note: its author's stages stay: {{.*}}: the copies' condition is not the loop's own for the next turn
__global__ void one_tile_too_far(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}

// They change places in some turns.
// CHECK: :[[#@LINE+7]]:3: note: its author's stages stay:
__global__ void swapped_sometimes(const float *x, float *y, int n, int m) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    __syncthreads();
    if (k < m) {
      float *t = cur;
      cur = next;
      next = t;
    }
  }
  y[threadIdx.x] = sum;
}

// What is computed writes to the tile.
// CHECK: :[[#@LINE+15]]:5: note: its author's stages stay: {{.*}}: the loop writes to 's' here
__global__ void written(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    sum += cur[threadIdx.x ^ 1];
    __syncthreads();
    cur[threadIdx.x] = sum;
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}

// A pointer is kept for the turn that follows.
// CHECK: :[[#@LINE+13]]:5: note: its author's stages stay:
__global__ void keeps_pointer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1], *old = s[0];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    sum += cur[threadIdx.x ^ 1] + old[threadIdx.x ^ 2];
    __syncthreads();
    old = cur;
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}
