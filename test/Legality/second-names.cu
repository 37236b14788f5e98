// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who can reach the same memory: pointers in tables, promises that do not last,
// variables that have a second name. Each with a twin that is pipelined.
//
// RUN: %kpipe rewrite --dry-run --verbose --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 64;

__device__ float *sources[2], *targets[2];
__device__ float source[4096], target[4096];
// Two tables of pointers may hold the same pointer; two arrays are two.
__global__ void tables(float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = sources[0][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    targets[0][i + T + threadIdx.x] = sum;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to memory reached through 'targets', which may alias 'sources' [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void arrays(float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = source[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    target[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What a pointer of one iteration promises says nothing of the next.
__global__ void block_restrict(const float *x, float *w, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    {
      float *__restrict__ q = w + i + T;
      q[threadIdx.x] = sum;
      // CHECK: second-names.cu:[[#@LINE-1]]:7: warning: not pipelined: the loop stores to 'w', which may alias 'x' [kpipe-may-alias]
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void lasting_restrict(const float *x, float *w, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *__restrict__ q = w;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    q[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void outlived_restrict(const float *x, float *w, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *p;
  {
    float *__restrict__ q = w;
    p = q;
  }
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    p[i + T + threadIdx.x] = sum;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'w', which may alias 'x' [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ void put(float *__restrict__ q, float v) { q[threadIdx.x] = v; }
__global__ void helper_restrict(const float *x, float *w, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    put(w + i + T, sum);
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'w', which may alias 'x' [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void one_restrict_for_two(float *x, float *w, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *__restrict__ q = x;
  if (n > T)
    q = w;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = q[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    q[i + T + threadIdx.x] = sum;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: second-names.cu:[[#@LINE-2]]:5: warning: not pipelined: the loop stores to 'x', which may alias 'w' [kpipe-may-alias]
    // CHECK: second-names.cu:[[#@LINE-3]]:5: warning: not pipelined: the loop stores to 'w', which may alias 'x' [kpipe-may-alias]
    // CHECK: second-names.cu:[[#@LINE-4]]:5: warning: not pipelined: the loop stores to 'w' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Cursor {
  int *p;
};
struct Bound {
  int &p;
};
// An array has a second name when it decays, a variable when it is bound,
// captured or given away.
__global__ void decayed(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at[1] = {0};
  Cursor c, *all = &c;
  all->p = at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at[0] + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    *c.p += T;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at', which the load region reads, may be changed here through a pointer that cannot be traced [kpipe-carried-scalar]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ void keep(Cursor &c, int &at) { c.p = &at; }
__global__ void kept_by_a_callee(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  Cursor c;
  keep(c, at);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * at;
    *c.p += T;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: load and compute each advance their own copy of 'at', but it can be reached by another name [kpipe-carried-scalar]
    // CHECK: second-names.cu:[[#@LINE-8]]:11: note: it is passed by reference or address here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void captured_by_reference(const float *x, float *__restrict__ y, int n, int *z) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  Cursor c = {z};
  auto set = [&at, &c] { c.p = &at; };
  set();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    *c.p += T;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at' is written by the compute region and read by the load region [kpipe-carried-scalar]
    // CHECK: second-names.cu:[[#@LINE-6]]:5: note: it is read here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void read_behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  Cursor c, *all = &c;
  all->p = &at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at + threadIdx.x);
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum += *c.p;
    // CHECK: second-names.cu:[[#@LINE-1]]:12: warning: not pipelined: 'at', which the load region or the loop header changes, may be read here through a pointer that cannot be traced [kpipe-carried-scalar]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void no_second_name(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at[1] = {0}, other[1] = {0};
  Cursor c;
  c.p = other;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = __ldg(x + at[0] + i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    *c.p += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The promise about other iterations says nothing of one: behind the barrier
// another thread may have stored already.
__global__ void same_iteration(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    float old = y[i + (threadIdx.x ^ 1)];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum * old;
    // CHECK: second-names.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'y' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
}

__global__ void same_iteration_behind(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    float old = y[i + threadIdx.x];
    y[i + threadIdx.x] = sum * old;
    __syncthreads();
  }
}

struct __align__(16) V4 {
  float x, y, z, w;
};
__device__ V4 make_pad(float a) { return V4{a + 1, a + 2, a + 3, a + 4}; }
__device__ constexpr V4 make_none(float a) { return V4{a, a, a, a}; }
struct __align__(16) One {
  float x, y, z, w;
  One() = default;
  __device__ constexpr One(float a) : x(a + 1), y(a), z(a), w(a) {}
};
// A fill is zero if its bits are, not by the name of what makes it.
__global__ void filled_by_a_helper(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : make_pad(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void filled_by_a_constant(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async [kpipe-pipelined]
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : make_none(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void filled_by_minus_zero(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : V4{0, 0, 0, -0.0f};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void filled_by_a_constructor(const One *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ One xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : One(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct View {
  const float4 *data;
  int ld;
};
// Not global memory: the only call gives it a shared array.
__device__ float of_a_view(View v, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it [kpipe-not-a-tile-loop]
    xs[threadIdx.x] = v.data[i * v.ld + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  return sum;
}

__global__ void view(const float4 *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float4 all[T];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = of_a_view(View{all, 0}, n);
}

// cp.async takes global memory, which must be shown: a view can have any.
__device__ float of_any_view(View v, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = v.data[i * v.ld + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  return sum;
}

__device__ float of_a_pointer(const float4 *p, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async [kpipe-pipelined]
    xs[threadIdx.x] = p[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  return sum;
}

__global__ void pointer(const float4 *__restrict__ x, float *__restrict__ y,
                        int n) {
  y[threadIdx.x] = of_a_pointer(x, n);
}

__device__ float by_pointer(const float4 *p, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK: second-names.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = p[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w;
    __syncthreads();
  }
  return sum;
}

__device__ float (*table)(const float4 *, int) = by_pointer;
__global__ void by_name_too(const float4 *__restrict__ x,
                            float *__restrict__ y, int n) {
  y[threadIdx.x] = by_pointer(x, n);
}
