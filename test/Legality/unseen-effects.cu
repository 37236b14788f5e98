// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects that are easy to miss: what closures capture, what constructors,
// copies and initialisers run, what member pointers reach, calls that cannot be
// looked into. Each with a twin that is pipelined.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

constexpr int T = 64;

// An init-capture is evaluated where the closure is made.
__global__ void init_capture(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    auto last = [v = y[i + threadIdx.x]] { return v; };
    xs[threadIdx.x] = x[i + threadIdx.x] + last();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + T + threadIdx.x] = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'y' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
}

__global__ void init_capture_apart(const float *__restrict__ x, const float *__restrict__ w,
                                   float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    auto last = [v = w[i + threadIdx.x]] { return v; };
    xs[threadIdx.x] = x[i + threadIdx.x] + last();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

__device__ float seen[T];
struct Seen {
  float v = seen[threadIdx.x];
};
struct Two {
  float v = 2.0f;
};
// So is the initialiser of a member.
__global__ void member_initialiser(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Seen s;
    xs[threadIdx.x] = x[i + threadIdx.x] + s.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    seen[T - 1 - threadIdx.x] = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'seen' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void member_initialiser_of_a_value(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    Two s;
    xs[threadIdx.x] = x[i + threadIdx.x] + s.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    seen[T - 1 - threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Pair {
  float a, b;
};
// A member pointer reaches a part of the object that it is applied to.
__global__ void member_pointer(const float *__restrict__ x, Pair *p, float Pair::*m,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + (p + i + threadIdx.x)->*m;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    p[i + T + threadIdx.x].a = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'p' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void member_pointer_apart(const float *__restrict__ x, const Pair *__restrict__ p,
                                     float Pair::*m, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x] + p[i + threadIdx.x].*m;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

struct Num {
  float v;
  Num() = default;
  __device__ Num(const Num &o) : v(o.v) {}
  __device__ Num &operator=(const Num &o) {
    v = o.v;
    return *this;
  }
};
struct Pack {
  Num a[2];
};
// A copy that the compiler makes runs those of the members.
__global__ void defaulted_copy(const float *__restrict__ x, Pack *p, float *__restrict__ y,
                               int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Pack q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a[0].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    p[i + T + threadIdx.x].a[0].v = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'p' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void defaulted_assignment(const float *__restrict__ x, Pack *p, float *__restrict__ y,
                                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Pack q;
    q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a[0].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    p[i + T + threadIdx.x].a[0].v = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'p' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void defaulted_copy_apart(const float *__restrict__ x, const Pack *__restrict__ p,
                                     float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    Pack q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a[0].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

struct Count {
  float v;
  __device__ Count() : v(0) { atomicAdd(&seen[0], 1.0f); }
};
struct Counted {
  Count c[2];
};
// A default constructor of a member that does something.
__global__ void counting_constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Counted c;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:13: warning: not pipelined: the load region performs an atomic operation on 'seen' [kpipe-load-effects]
    xs[threadIdx.x] = x[i + threadIdx.x] + c.c[0].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nobody knows what is called.
__global__ void function_pointer(const float *__restrict__ x, float *__restrict__ y, int n,
                                 float (*f)(float)) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum = f(sum);
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:11: warning: not pipelined: a function pointer, which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: unseen-effects.cu:[[#@LINE-2]]:11: warning: not pipelined: a function pointer, which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ float half_of(float v) { return v * 0.5f; }
__global__ void function_by_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum = half_of(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Shape {
  __device__ virtual float operator()(float v) const { return v; }
};
__global__ void virtual_operator(const float *__restrict__ x, float *__restrict__ y, int n,
                                 const Shape *shape) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum = (*shape)(sum);
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:11: warning: not pipelined: the virtual function 'operator()', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: unseen-effects.cu:[[#@LINE-2]]:11: warning: not pipelined: the virtual function 'operator()', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Functions of cooperative groups that run what they are given.
__global__ void one_thread(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    cg::invoke_one(cg::coalesced_threads(), [&] { y[i] = sum; });
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: 'i', which the load region reads, may be changed here through a pointer that cannot be traced [kpipe-carried-scalar]
    // CHECK: unseen-effects.cu:[[#@LINE-2]]:5: warning: not pipelined: the function 'invoke_one', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: unseen-effects.cu:[[#@LINE-3]]:5: warning: not pipelined: the function 'invoke_one', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void own_reduction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum += cg::reduce(warp, sum, [=](float a, float b) {
      // CHECK: unseen-effects.cu:[[#@LINE-1]]:12: warning: not pipelined: the function 'reduce', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
      // CHECK: unseen-effects.cu:[[#@LINE-2]]:12: warning: not pipelined: the function 'reduce', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
      return y[i] > 0 ? a : b;
    });
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void known_reduction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum += cg::reduce(warp, sum, cg::plus<float>());
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// GNU expressions.
__global__ void statement_expression(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + ({
      float v = y[i + threadIdx.x];
      v ?: 1.0f;
    });
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + T + threadIdx.x] = sum;
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'y' and also loads from it [kpipe-may-alias]
    __syncthreads();
  }
}

// Each instruction of an assembly statement counts, and a barrier among others
// is more than a barrier.
__global__ void second_instruction(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm volatile("add.f32 %0, %0, %0; st.f32 [%1], %0;" : "+f"(sum) : "l"(x));
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:75: warning: not pipelined: the loop stores to memory that cannot be traced, which may alias 'x' [kpipe-may-alias]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void barrier_and_more(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm volatile("bar.sync 0; cp.async.wait_all;" ::: "memory");
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: inline assembly that kpipe does not understand may order memory: 'bar.sync' [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void two_that_compute(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm("add.f32 %0, %0, %0; neg.f32 %0, %0;" : "+f"(sum));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An atomic operation that orders other memory.
__global__ void ordered_atomic(const float *__restrict__ x, int *__restrict__ flag,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __atomic_fetch_add(flag, 1, __ATOMIC_SEQ_CST);
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: '__atomic_fetch_add' orders memory in the loop [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}


// What has a body, but cannot be followed: the compiler may put another one in
// its place, it calls itself, or too many calls are around it.
__device__ __attribute__((weak)) float replaced(const float *p) { return *p; }
__device__ float again(const float *p, int d) {
  return d ? again(p, d - 1) : *p;
}
template <int D> __device__ float below(const float *p) {
  if constexpr (D > 0)
    return below<D - 1>(p) + 1;
  else
    return *p;
}
__global__ void not_followed(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    // CHECK: unseen-effects.cu:[[#@LINE+2]]:12: warning: not pipelined: 'xs' is passed to the weak function 'replaced', which kpipe cannot analyze [kpipe-shared-escape]
    // CHECK-NOT: make the definition
    sum += replaced(xs);
    // CHECK: unseen-effects.cu:[[#@LINE+2]]:12: warning: not pipelined: 'xs' is passed to the recursive function 'again', which kpipe cannot analyze [kpipe-shared-escape]
    // CHECK-NOT: make the definition
    sum += again(xs, 3);
    // CHECK: unseen-effects.cu:[[#@LINE+2]]:12: warning: not pipelined: 'xs' is passed to the function 'below' below 40 nested calls, which kpipe cannot analyze [kpipe-shared-escape]
    // CHECK-NOT: make the definition
    sum += below<41>(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Two calls at each depth are far too many.
template <int D> __device__ float both(const float *p) {
  if constexpr (D > 0)
    return both<D - 1>(p) + both<D - 1>(p + 1);
  else
    return *p;
}
__global__ void too_many(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    // CHECK: unseen-effects.cu:[[#@LINE+1]]:12: warning: not pipelined: 'xs' is passed to the function 'both' below 12 nested calls, which kpipe cannot analyze [kpipe-shared-escape]
    sum += both<30>(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void followed(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: unseen-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += below<30>(xs + threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
