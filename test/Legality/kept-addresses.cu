// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of a tile that outlive the iteration which took them, in whatever
// they are kept and by whatever way they get there: another stage's tile would
// be read in the next iteration. See kept-by-calls.cu for what functions keep.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 32;

__device__ inline unsigned number(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ inline float at(unsigned a) {
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(a));
  return r;
}

// The value of an assignment.
__global__ void __launch_bounds__(T)
of_assignment(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a;
    kept = a = number(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Of a step.
__global__ void __launch_bounds__(T)
stepped(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a = number(xs);
    kept = ++a;
    __syncthreads();
  }
  y[t] = sum;
}

// One of two variables.
__global__ void __launch_bounds__(T)
chosen(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a = number(xs), b = a + 16;
    kept = q ? a : b;
    __syncthreads();
  }
  y[t] = sum;
}

// By a pointer to an array that has it.
__global__ void __launch_bounds__(T)
by_pointer(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a[2] = {number(xs), number(xs + 1)}, *p = a;
    kept = p[1];
    __syncthreads();
  }
  y[t] = sum;
}

// By a reference.
__global__ void __launch_bounds__(T)
by_reference(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a = number(xs), &r = a;
    kept = r;
    __syncthreads();
  }
  y[t] = sum;
}

// By a cast to a reference.
__global__ void __launch_bounds__(T)
by_xvalue(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned a = number(xs);
    kept = static_cast<unsigned &&>(a);
    __syncthreads();
  }
  y[t] = sum;
}

// By a structured binding.
__global__ void __launch_bounds__(T)
by_binding(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    struct { unsigned a, b; } s{number(xs), 0};
    auto [a, b] = s;
    kept = a + b;
    __syncthreads();
  }
  y[t] = sum;
}

// Element by element.
__global__ void __launch_bounds__(T)
by_range(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    unsigned all[2] = {number(xs), number(xs + 1)};
    for (unsigned a : all)
      kept = a;
    __syncthreads();
  }
  y[t] = sum;
}

// The value of a block.
__global__ void __launch_bounds__(T)
of_block(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    kept = ({
      unsigned a = number(xs);
      a;
    });
    __syncthreads();
  }
  y[t] = sum;
}

// Static shared memory has few addresses.
__global__ void __launch_bounds__(T)
short_number(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  unsigned short kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(kept);
    kept = number(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// As a float: its value, and its bits.
__global__ void __launch_bounds__(T)
as_float(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  float kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at((unsigned)kept);
    kept = number(xs);
    __syncthreads();
  }
  y[t] = sum;
}

__global__ void __launch_bounds__(T)
as_bits(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  float kept = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(__float_as_uint(kept));
    kept = __uint_as_float(number(xs));
    __syncthreads();
  }
  y[t] = sum;
}

// As another member of a union.
__global__ void __launch_bounds__(T)
in_union(const float4 *__restrict__ x, float *__restrict__ y, int n, unsigned q) {
  __shared__ __align__(16) float4 xs[T];
  const unsigned t = threadIdx.x;
  float sum = 0;
  float kept = 0;
  union Bits {
    unsigned u;
    float f;
  };
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: note: single buffer, because 'kept' keeps an address of 'xs' beyond
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    sum += at(__float_as_uint(kept));
    Bits b;
    b.u = number(xs);
    kept = b.f;
    __syncthreads();
  }
  y[t] = sum;
}
