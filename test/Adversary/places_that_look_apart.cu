// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread fills one place of the tile twice, and the two indices read as if they
// differed: what they are made of changes between them, or their sums wrap. An
// entry of a table that is 0 hides the place from whoever runs the load.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=8 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop \
// RUN:   --variant=cp-async %s 2>&1 | FileCheck %s
// CHECK-COUNT-21: one thread may copy to the same place in 'xs' twice
// CHECK-COUNT-8: pipelined K-loop: {{.*}}cp.async
// CHECK-NOT: warning:

constexpr int T = 64;
__constant__ int tab[T];
struct One {
  int a;
};
struct Two {
  int a, b;
};
union Both {
  float4 f, g;
};
struct Anonymous {
  union {
    float4 f, g;
  };
};

// An object, or what a pointer, a reference or a closure names, is another number
// behind a change.
__global__ void __launch_bounds__(T)
made_before_struct(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  One off{0};
  int a = off.a;
  off.a = T;
  for (int i = 0; i < n; i += T) {
    xs[a + tx] = x[i + tx];
    xs[off.a - T + tx] = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
nested_array(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int o[2][2] = {{T, 0}, {0, 0}};
    auto *r = o[0];
    xs[tx + r[0]] = x[i + tx];
    o[0][0] = 0;
    xs[tx + r[0] + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
pointer_reads(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int q = T;
    const int *at = &q;
    xs[tx + *at] = x[i + tx];
    q -= T;
    xs[tx + *at + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
reference_reads(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int q = T;
    const int &at = q;
    xs[tx + tab[0] + at] = x[i + tx];
    q -= T;
    xs[tx + tab[0] + at + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
closure_reads(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int q = T;
    auto at = [&] { return q; };
    xs[tx + at()] = x[i + tx];
    q -= T;
    xs[tx + at() + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
closure_reads_struct(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    One p{T};
    auto at = [&p] { return p.a; };
    xs[tx + at()] = x[i + tx];
    p.a -= T;
    xs[tx + at() + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
binding_changes(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    Two p{T, 0};
    auto &[a, b] = p;
    xs[tx + a] = x[i + tx];
    a -= T;
    xs[tx + a + T] = x[i + tx + 1];
    __syncthreads();
    for (int j = T; j < T + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A name of a part of an object that each turn makes anew, and a helper's variable.
__device__ Two make_binding(int k) { return Two{1 - k, k}; }
__global__ void __launch_bounds__(T)
binding_loop(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k) {
      auto [a, b] = make_binding(k);
      xs[tx + k + a] = x[i + tx + k];
    }
    __syncthreads();
    for (int j = 1; j < 1 + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ void put_unknown(float4 *d, const float4 *s, int k) {
  unsigned v = k * 2097152u;
  d[threadIdx.x + tab[0] + k * 64 - v / 32768u] = *s;
}
__global__ void __launch_bounds__(T)
helper_local_unknown(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      put_unknown(xs, x + i + tx + k, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Sums wrap at 2^32, and go on from 0.
__global__ void __launch_bounds__(T)
factor_wrap(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned k = 0; k < (2u << 20); k += 1u << 20)
      xs[tx + tab[0] + k * 4096u] = x[i + tx + (k >> 20)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
product_wrap(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned k = 0; k < (2u << 26); k += 1u << 26)
      xs[tx + tab[0] + k * blockDim.x] = x[i + tx + (k >> 26)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
long_trunc(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (long k = 0; k < (2l << 16); k += 1l << 16)
      xs[tx + tab[0] + (int)(k * 65536l)] = x[i + tx + (k >> 16)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
grain_wrap(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned k = 0; k < 2; ++k)
      xs[tx + tab[0] + k + (3u * k - 3u) % 3u] = x[i + tx + k];
    __syncthreads();
    for (int j = 1; j < 1 + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
param_wrap(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  unsigned big = 1431655765u + tab[1];
  for (int i = 0; i < n; i += T) {
    xs[tx] = x[i + tx];
    if (tab[0] == 0)
      xs[tx + 3u * big + 1u] = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
const_wrap_minus(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x + tab[0]] = x[i + tx];
    xs[threadIdx.x + -1 + tab[0] + 1] = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
shift_of_negative(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int m = -1 - tab[0];
    xs[tx + T + (m >> 4) * 1] = x[i + tx];
    xs[tx + T + (int)((unsigned)m >> 4) - 268435455 - 1] = x[i + tx + 1];
    __syncthreads();
    for (int j = T - 1; j < T - 1 + T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A step that goes back, and a counter that its condition sets back.
__global__ void __launch_bounds__(T)
unsigned_step_back(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned k = 1; k < 2; k += -1u)
      xs[tx + tab[0] + k * T] = x[i + tx + k];
    xs[tx + tab[0]] = x[i + tx + 5];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
uchar_step_back(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned char k = 1; k < 2; k += 255)
      xs[tx + tab[0] + k * T] = x[i + tx + k];
    xs[tx + tab[0]] = x[i + tx + 5];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
cond_changes_counter(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    int again = 1;
    for (int k = 0; (again && k == 1 ? (again = 0, k = 0) : 0), k < 2; ++k)
      xs[tx + tab[0] + k * T] = x[i + tx + k + again];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Members of a union.
__global__ void __launch_bounds__(T)
union_plain(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Both xs[T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[tx].f = x[i + tx];
    xs[(tx + tab[0]) % T].g = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].f.x * float(tx ^ j) - xs[j].f.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
union_anon(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Anonymous xs[T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[tx].f = x[i + tx];
    xs[(tx + tab[0]) % T].g = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].f.x * float(tx ^ j) - xs[j].f.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// These differ.
__global__ void __launch_bounds__(T)
do_while_zero_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    do {
      xs[tx] = x[i + tx];
    } while (0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
uint2_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  uint2 p = make_uint2(threadIdx.x, 0);
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      xs[p.x + k * T] = x[i + tx + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
struct_member_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  Two p;
  p.a = tx / 8;
  p.b = tx % 8;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      xs[p.a * 8 + p.b + k * T] = x[i + tx + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
row_pointer_before_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  int offs = tab[0];
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      xs[offs + tx + k * T] = x[i + tx + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <int O> __device__ void put_offset_at(float4 *d, const float4 *s) {
  d[threadIdx.x + O] = s[threadIdx.x];
}
__global__ void __launch_bounds__(T)
template_offset_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    put_offset_at<0>(xs, x + i);
    put_offset_at<T>(xs, x + i + 1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
unsigned_char_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned char k = 0; k < 2; ++k)
      xs[tx + k * T] = x[i + tx + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
unsigned_reverse_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    for (unsigned k = 0; k < 2; ++k)
      xs[2 * T - 1u - tx - k * T] = x[i + tx + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * float(tx ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
union_rows_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Both xs[2 * T];
  float sum = 0;
  const int tx = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[tx].f = x[i + tx];
    xs[tx + T].g = x[i + tx + 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].f.x * float(tx ^ j) - xs[j].f.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
VECTORS(made_before_struct, float4)
VECTORS(nested_array, float4)
VECTORS(pointer_reads, float4)
VECTORS(reference_reads, float4)
VECTORS(closure_reads, float4)
VECTORS(closure_reads_struct, float4)
VECTORS(binding_changes, float4)
VECTORS(binding_loop, float4)
VECTORS(helper_local_unknown, float4)
VECTORS(factor_wrap, float4)
VECTORS(product_wrap, float4)
VECTORS(long_trunc, float4)
VECTORS(grain_wrap, float4)
VECTORS(param_wrap, float4)
VECTORS(const_wrap_minus, float4)
VECTORS(shift_of_negative, float4)
VECTORS(unsigned_step_back, float4)
VECTORS(uchar_step_back, float4)
VECTORS(cond_changes_counter, float4)
VECTORS(union_plain, float4)
VECTORS(union_anon, float4)
VECTORS(do_while_zero_legal, float4)
VECTORS(uint2_legal, float4)
VECTORS(struct_member_legal, float4)
VECTORS(row_pointer_before_legal, float4)
VECTORS(template_offset_legal, float4)
VECTORS(unsigned_char_legal, float4)
VECTORS(unsigned_reverse_legal, float4)
VECTORS(union_rows_legal, float4)
#endif
