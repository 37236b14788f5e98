// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule may-alias: no store or atomic in the loop touches what the load region
// reads from global memory. The load of the next tile would read the old value.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// __restrict__ on one of the two pointers is a promise.
__global__ void restricted(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: may-alias.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What __ldg reads is written by nobody, nor is constant memory.
__constant__ float table[4096];
__global__ void read_only(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: may-alias.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + table[i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two arrays with names of their own.
__device__ float from[4096], to[4096];
__global__ void arrays(float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: may-alias.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = from[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    to[i + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The author knows better, for a loop or for all loops of a kernel.
__global__ void promised(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    // CHECK: may-alias.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

// kpipe: assume(no-alias)
__global__ void promised_for_all(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: may-alias.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

__global__ void plain_pointers(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'y', which may alias 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: if they never overlap, declare the pointers __restrict__ or write '// kpipe: assume(no-alias)' above the loop
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void same_pointer(float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    x[i + T + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A copy of a __restrict__ pointer is the same pointer.
__global__ void copied_pointer(float *__restrict__ x, float *__restrict__ y,
                               int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *next = x + T;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    next[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Swapped in every iteration, each may be the other.
__global__ void swapped(float *__restrict__ x, float *__restrict__ z,
                        float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *p = x, *q = z;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = p[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    q[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'z' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    // CHECK: may-alias.cu:[[#@LINE-4]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-9]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-6]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    float *t = p;
    p = q;
    q = t;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Members of one struct are not told apart.
struct Matrices {
  const float *x;
  float *y;
  int n;
};
__global__ void members(Matrices m, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = m.x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    m.y[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to memory reached through 'm' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void device_variable(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    to[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'to', which may alias 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: if they never overlap, declare the pointers __restrict__ or write '// kpipe: assume(no-alias)' above the loop
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void atomic(float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    atomicAdd(&x[i + T], sum);
    // CHECK: may-alias.cu:[[#@LINE-1]]:15: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:15: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a helper, with a compiler built-in.
__device__ void bump(int *p) { __atomic_fetch_add(p, 1, __ATOMIC_RELAXED); }
__global__ void atomic_in_helper(int *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    bump(x + i + T);
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A cache hint is no promise that nobody writes.
__global__ void cache_hint(float *x, int n, float *__restrict__ y) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldcg(&x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    x[i + T + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:30: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through a pointer that a closure captured.
__global__ void captured(float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *p = x;
  auto put = [&](int at, float v) { p[at] = v; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    put(i + T, sum);
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through a reference in a struct.
struct Result {
  float &value;
};
__global__ void reference_member(float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Result r = {x[T]};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    r.value += sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer that is given another value under a second name.
__global__ void second_name(float *__restrict__ x, float *__restrict__ z,
                            float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *p = z;
  float *&same = p;
  same = x;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    p[i + T] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to memory that cannot be traced, which may alias 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through an address in a register.
__global__ void inline_asm(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  size_t address = __cvta_generic_to_global(x);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm volatile("st.global.f32 [%0], %1;" ::"l"(address + i), "f"(sum));
    // CHECK: may-alias.cu:[[#@LINE-1]]:50: warning: not pipelined: the loop stores to global memory, which may alias 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:50: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Read before the barrier for the compute region: behind it, another thread may
// have stored already.
__global__ void read_before_barrier(const float *__restrict__ x,
                                    float *__restrict__ g,
                                    float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float before = g[(threadIdx.x + 1) % T];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    g[threadIdx.x] = sum * before;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'g' and also loads from it [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-7]]:20: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What a function does that is defined elsewhere cannot be told. It may also
// synchronize.
extern __device__ void elsewhere(int i);
__global__ void unknown_call(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    elsewhere(i);
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: 'elsewhere', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: note: make the definition of 'elsewhere' visible here
    // CHECK: may-alias.cu:[[#@LINE-4]]:5: warning: not pipelined: 'elsewhere', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nor what a virtual function does.
struct Sink {
  virtual __device__ void put(float v) {}
};
__global__ void virtual_call(Sink *sink, const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sink->put(sum);
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the virtual function 'put', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-3]]:5: warning: not pipelined: the virtual function 'put', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One warning a written pointer, whatever else it may alias.
__global__ void two_tiles(const float *a, const float *b, float *y, int n) {
  __shared__ float as[T], bs[T];
  for (int i = 0; i < n; i += T) {
    as[threadIdx.x] = a[i + threadIdx.x];
    bs[threadIdx.x] = b[i + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < T; ++j)
      sum += as[j] * bs[j];
    y[i + threadIdx.x] = sum;
    // CHECK: may-alias.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'y', which may alias 'a' [kpipe-may-alias]
    // CHECK: may-alias.cu:[[#@LINE-8]]:23: note: the load region reads it here
    // CHECK: may-alias.cu:[[#@LINE-8]]:23: note: the load region reads 'b' here, which it may alias too
    // CHECK: may-alias.cu:[[#@LINE-4]]:5: note: if they never overlap, declare the pointers __restrict__ or write '// kpipe: assume(no-alias)' above the loop
    __syncthreads();
  }
}
