// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops staged by hand in which what the copies are made of changes by a name that
// they do not have, or in which a buffer's address outlives its turn. With one stage
// each would copy or read another tile: all keep their author's stages. What was found
// by programs that someone else wrote against --restage.
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
#define CP_WAIT_ALL() asm volatile("cp.async.wait_all;\n" ::: "memory")
#define READY()                                                                \
  CP_COMMIT();                                                                 \
  CP_WAIT_ALL();                                                               \
  __syncthreads()

constexpr int T = 128;

// What a declaration in front of the first copy took has changed since.
// CHECK: note: its author's stages stay: {{.*}}: 'off', which the copies use, changes between two of them
__global__ void taken_before(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int off = n & 64;
  int base = off;
  off = off + 5;
  CP_ASYNC(&s[0][threadIdx.x], &x[base + threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[off + k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A reference changes it.
// CHECK: note: its author's stages stay: {{.*}}: 'off', which the copies use, changes between two of them
__global__ void by_reference(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int off = 0;
  int &other = off;
  CP_ASYNC(&s[0][threadIdx.x], &x[off + threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[off + k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    other += 3;
  }
  y[threadIdx.x] = sum;
}

// A pointer does.
// CHECK: note: its author's stages stay: {{.*}}: 'off', which the copies use, changes between two of them
__global__ void by_pointer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int off = 0;
  int *other = &off;
  CP_ASYNC(&s[0][threadIdx.x], &x[off + threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[off + k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    *other += 3;
  }
  y[threadIdx.x] = sum;
}

// A closure that was made in front of the loop does.
// CHECK: note: its author's stages stay: {{.*}}: 'off', which the copies use, changes between two of them
__global__ void by_closure(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int off = 0;
  auto bump = [&] { off += 3; };
  CP_ASYNC(&s[0][threadIdx.x], &x[off + threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[off + k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    bump();
  }
  y[threadIdx.x] = sum;
}

// It moves the source.
// CHECK: note: its author's stages stay: {{.*}}: 'x', which the copies use, changes between two of them
__global__ void moves_source(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  auto next = [&] { x += 7; };
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    next();
  }
  y[threadIdx.x] = sum;
}

// The helper reads an array that changes.
__device__ void load(float *to, const float *from, const int *p) {
  CP_ASYNC(to + threadIdx.x, from + p[0] + threadIdx.x);
}
// CHECK: warning: not pipelined: nothing before a barrier copies global memory
__global__ void helper_reads(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int perm[2] = {0, 0};
  load(s[0], x, perm);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      load(s[stage ^ 1], x + k + T, perm);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    perm[0] += 3;
  }
  y[threadIdx.x] = sum;
}

// So does a function that gives an index.
__device__ int at(const int *p, int i) { return p[i]; }
// CHECK: note: its author's stages stay: {{.*}}: this is not the copy of the next tile
__global__ void index_reads(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  int perm[2] = {0, 0};
  CP_ASYNC(&s[0][threadIdx.x], &x[at(perm, 0) + threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[at(perm, 0) + k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
    perm[0] += 3;
  }
  y[threadIdx.x] = sum;
}

// Sums without a sign wrap around, so that this is not the condition of the loop.
// CHECK: note: its author's stages stay: {{.*}}: the copies' condition is not the loop's own for the next turn
__global__ void wraps(const float *x, float *y, int n, unsigned u) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  READY();
  for (int k = 0; k < n; k += T) {
    if ((int)(k + T + u) < (int)(n + u))
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The first buffer is read in the last turn, by an address that an inner block kept.
// CHECK: note: its author's stages stay: {{.*}}: this statement is not understood
__global__ void inner_pointer(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const float *first = nullptr;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    if (first && k + T >= n)
      sum += first[threadIdx.x ^ 1];
    if (k == 0) {
      const float *q = s[stage];
      first = q;
    }
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// An object keeps it.
struct View {
  const float *p;
};
// CHECK: note: its author's stages stay: {{.*}}: this statement is not understood
__global__ void inner_object(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  View first = {nullptr};
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    if (first.p && k + T >= n)
      sum += first.p[threadIdx.x ^ 1];
    if (k == 0) {
      View v = {s[stage]};
      first = v;
    }
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A member of one is kept.
// CHECK: note: its author's stages stay: {{.*}}: this statement is not understood
__global__ void inner_member(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const float *first = nullptr;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    if (first && k + T >= n)
      sum += first[threadIdx.x ^ 1];
    if (k == 0) {
      View v = {s[stage]};
      first = v.p;
    }
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A function puts it into an array of pointers.
__device__ void keep(const float *(&slot)[1], const float *p) { slot[0] = p; }
// CHECK: note: its author's stages stay: {{.*}}: this statement is not understood
__global__ void kept_in_array(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const float *slot[1] = {nullptr};
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    CP_WAIT_ALL();
    __syncthreads();
    if (k + T < n)
      CP_ASYNC(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    if (slot[0] && k + T >= n)
      sum += slot[0][threadIdx.x ^ 1];
    if (k == 0)
      keep(slot, s[stage]);
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}
