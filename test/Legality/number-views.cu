// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are made of a tile's address before the loop. One that has the
// address in it once moves from stage to stage; all others keep a single buffer.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
//
// The validators see each of them with the rule switched off.
// RUN: env KPIPE_RULES_OFF=number-views,address-bits %kpipe-unruled rewrite --dry-run --arch=sm_86 %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=ALONE

constexpr int T = 32;

__device__ inline float at(unsigned a) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(a));
  return v;
}
__device__ inline unsigned number(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

// The address of a place, once.
__global__ void __launch_bounds__(T)
plain(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs) + t * 16;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a) + at(a + 4);
    __syncthreads();
  }
  y[t] = sum;
}

// In either case.
__global__ void __launch_bounds__(T)
of_choice(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = q ? number(&xs[t]) : number(xs + 1) - 16;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Bits of the address.
__global__ void __launch_bounds__(T)
swizzled(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs) ^ 64;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// A place that they choose.
__global__ void __launch_bounds__(T)
offset_by_bits(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned b = number(xs);
  unsigned a = b + (b >> 7 & 1) * 16;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Twice.
__global__ void __launch_bounds__(T)
twice(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs) + number(xs + t);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a - q);
    __syncthreads();
  }
  y[t] = sum;
}

// Taken away.
__global__ void __launch_bounds__(T)
negative(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = q - number(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(q - a);
    __syncthreads();
  }
  y[t] = sum;
}

// A part of it.
__global__ void __launch_bounds__(T)
narrow(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned short a = number(xs) + t * 16;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Given another one.
__global__ void __launch_bounds__(T)
changed(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  if (q)
    a = number(xs + t);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Advanced in the loop.
__global__ void __launch_bounds__(T)
advanced(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at((a += 16) - 16);
    __syncthreads();
  }
  y[t] = sum;
}

// In an array.
__global__ void __launch_bounds__(T)
in_array(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a[2] = {number(xs), number(xs + t)};
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a[q & 1]);
    __syncthreads();
  }
  y[t] = sum;
}

struct Tile {
  unsigned at;
};

// In an object.
__global__ void __launch_bounds__(T)
in_object(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  Tile a{number(xs)};
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a.at);
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline unsigned rounded(const void *p) {
  unsigned a = number(p);
  return (a + 127) / 128 * 128;
}

// Rounded by a function.
__global__ void __launch_bounds__(T)
by_function(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = rounded(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Loaded from a table that the address chooses.
__global__ void __launch_bounds__(T)
by_table(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  int table[2] = {0, 16};
  unsigned b = number(xs);
  unsigned a = b + table[b >> 4 & 1];
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a);
    __syncthreads();
  }
  y[t] = sum;
}

// Compared: which stage it is would be seen.
__global__ void __launch_bounds__(T)
compared(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a) + (a > q ? 1.0f : 2.0f);
    __syncthreads();
  }
  y[t] = sum;
}

// An index of other memory.
__global__ void __launch_bounds__(T)
index(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a) + y[T + a];
    __syncthreads();
  }
  y[t] = sum;
}

// A value, by way of a sum.
__global__ void __launch_bounds__(T)
as_value(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  unsigned b = a + 4;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(b) + float(b);
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline unsigned doubled(unsigned a) {
  unsigned b;
  asm("add.u32 %0, %1, %1;" : "=r"(b) : "r"(a));
  return b;
}

// Given to an instruction that does not take it for an address.
__global__ void __launch_bounds__(T)
as_operand(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(a) + float(doubled(a));
    __syncthreads();
  }
  y[t] = sum;
}

// Bits of it, in the loop.
__global__ void __launch_bounds__(T)
in_loop_bits(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned a = number(xs);
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of xs
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    // ALONE: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: {{[ab] reaches what is staged here, but not by a name|single bits of the address of xs}}
    sum += at(a ^ 16);
    __syncthreads();
  }
  y[t] = sum;
}

__device__ inline void keep(unsigned *to, unsigned a) { *to = a; }
__device__ inline void load(unsigned *to, unsigned a) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(*to) : "r"(a));
}

// A function keeps the number for the next tile, in an array that it is given.
__global__ void __launch_bounds__(T)
kept_by_function(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  unsigned kept[2] = {};
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond the iteration that took it
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const unsigned a = number(xs);
    if (i)
      sum += at(kept[0]);
    keep(kept, a);
    sum += at(a);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is loaded from there may be kept.
__global__ void __launch_bounds__(T)
loaded_by_function(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  unsigned kept[2] = {};
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += __uint_as_float(kept[0]);
    load(kept, number(xs));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
