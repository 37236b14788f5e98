// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --schedule=specialized: what stands in front of the loop is run by the producer's
// threads too, which come to memory that none of the author's does.
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// The check of the result finds them too; what calls read is asked in front of it.
// RUN: env KPIPE_RULES_OFF=producer-front %kpipe-unruled rewrite --dry-run --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-9: the producer's threads would run what the author's alone can
// ALONE-NOT: the producer's threads would run

#include "Inputs/bulk_copies.h"

constexpr int T = 128;
struct Pair {
  float a, b;
};
struct Table {
  const float *p;
  float scale;
};
__device__ float first_of(const float *row) { return row[0]; }
__device__ float of_some(const float *w, int t) {
  if (t < T)
    return w[0];
  return w[1 << 20];
}
__device__ float of_all(const float *w) { return w[3]; }

// All threads read one place, and one more may.
__global__ void one_place(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float *row = w + blockIdx.x;
  const float c = row[0] + w[3];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_one_place(const float *x, const float *w, float *y, int n) { one_place<<<1, T>>>(x, w, y, n); }

// The copies read from one of two matrices.
__global__ void chosen_source(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float *from = n & 1 ? w : x;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, from + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_chosen_source(const float *x, const float *w, float *y, int n) { chosen_source<<<1, T>>>(x, w, y, n); }

// A condition that is the same for all.
__global__ void chosen_by_all(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float c = n > 5 ? w[0] : w[1];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_chosen_by_all(const float *x, const float *w, float *y, int n) { chosen_by_all<<<1, T>>>(x, w, y, n); }

// Some threads compute something else, of no memory.
__global__ void computed_by_some(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float c = threadIdx.x < 64 ? 0.5f * threadIdx.x : min(n, 3);
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_computed_by_some(const float *x, float *y, int n) { computed_by_some<<<1, T>>>(x, y, n); }

// A function that reads what all are given; what it is given is not known there.
__global__ void called_by_all(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float c = of_all(w);
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_called_by_all(const float *x, const float *w, float *y, int n) { called_by_all<<<1, T>>>(x, w, y, n); }

// Each thread's pointer, read at its first element.
__global__ void own_row(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float *mine = w + threadIdx.x;
  float c = mine[0];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_own_row(const float *x, const float *w, float *y, int n) { own_row<<<1, T>>>(x, w, y, n); }

// A member of it.
__global__ void own_member(const float *x, const Pair *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const Pair *mine = w + threadIdx.x;
  float c = mine[0].a;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_own_member(const float *x, const Pair *w, float *y, int n) { own_member<<<1, T>>>(x, w, y, n); }

// An element of an array that is reached so.
__global__ void own_row_of_rows(const float *x, const float (*w)[4], float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float(*mine)[4] = w + threadIdx.x;
  float c = mine[0][1];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_own_row_of_rows(const float *x, const float (*w)[4], float *y, int n) { own_row_of_rows<<<1, T>>>(x, w, y, n); }

// A reference to it.
__global__ void by_reference(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float *mine = w + threadIdx.x;
  const float &r = mine[0];
  float c = r;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_reference(const float *x, const float *w, float *y, int n) { by_reference<<<1, T>>>(x, w, y, n); }

// A pointer in a struct.
__global__ void in_a_struct(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  Table t{w + threadIdx.x, 2.0f};
  float c = t.p[1] * t.scale;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_in_a_struct(const float *x, const float *w, float *y, int n) { in_a_struct<<<1, T>>>(x, w, y, n); }

// The address of an element.
__global__ void address_of_first(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  const float *row = &w[0] + threadIdx.x;
  float c = row[1];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_address_of_first(const float *x, const float *w, float *y, int n) { address_of_first<<<1, T>>>(x, w, y, n); }

// Threads that are not there read another place.
__global__ void other_place(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  float c = threadIdx.x < T ? w[0] : w[1 << 20];
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_other_place(const float *x, const float *w, float *y, int n) { other_place<<<1, T>>>(x, w, y, n); }

// What they alone ask.
__global__ void asked_last(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  bool c = threadIdx.x >= T && w[1 << 20] > 0;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_asked_last(const float *x, const float *w, float *y, int n) { asked_last<<<1, T>>>(x, w, y, n); }

// The same in a function that is called.
__global__ void in_a_function(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  float c = of_some(w, threadIdx.x);
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_in_a_function(const float *x, const float *w, float *y, int n) { in_a_function<<<1, T>>>(x, w, y, n); }

// A function is given the row.
__global__ void given_its_row(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  float c = first_of(w + threadIdx.x);
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_given_its_row(const float *x, const float *w, float *y, int n) { given_its_row<<<1, T>>>(x, w, y, n); }

// Assembly that reads; it stays with the threads of the author.
__global__ void by_assembly(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  float c;
  asm("ld.global.nc.f32 %0, [%1];" : "=f"(c) : "l"(w + threadIdx.x));
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      load(xs, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x] * c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_assembly(const float *x, const float *w, float *y, int n) { by_assembly<<<1, T>>>(x, w, y, n); }
