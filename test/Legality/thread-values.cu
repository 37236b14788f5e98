// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uniform-barrier: values that look the same for all threads of a block and
// are not. Each decides who comes to the loop, and who to the barriers beside it.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s -- -std=c++20 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='remark: pipelined'

constexpr int T = 32;

#define KERNEL(Name, ...)                                                      \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n,          \
           __VA_ARGS__)

// An object that is const may have parts that are not.
struct Counted {
  int a;
  mutable int asked;
  __device__ void bump(int by) const { asked += by; }
};
KERNEL(kept_mutable, int more) {
  __shared__ float xs[T];
  float sum = 0;
  const Counted w = {n, n};
  w.bump(threadIdx.x);
  if (w.asked % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(given_mutable, const Counted w) {
  __shared__ float xs[T];
  float sum = 0;
  w.bump(threadIdx.x);
  if (w.asked % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Outer {
  Counted in;
};
KERNEL(inner_mutable, const Outer w) {
  __shared__ float xs[T];
  float sum = 0;
  w.in.bump(threadIdx.x);
  if (w.in.asked % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What a member begins as is not written where the object is made.
struct Made {
  int a;
  int t = threadIdx.x;
};
__device__ int made(int n) {
  Made m{n};
  return m.t;
}
KERNEL(made_of_index, int more) {
  __shared__ float xs[T];
  float sum = 0;
  if (made(n) % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#if __cplusplus >= 202002L
// `!=` is made of `==`.
struct Own {
  int v;
  __device__ bool operator==(const Own &o) const {
    return v == o.v + int(threadIdx.x);
  }
};
KERNEL(not_equal, Own a, Own b) {
  __shared__ float xs[T];
  float sum = 0;
  if (a != b) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ bool differ(Own a, Own b) { return a != b; }
KERNEL(helper_asks_not_equal, Own a, Own b) {
  __shared__ float xs[T];
  float sum = 0;
  if (differ(a, b)) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#endif

// The attribute says nothing of the thread that asks.
extern __device__ __attribute__((const)) int index_of(int axis);
KERNEL(said_to_be_const, int more) {
  __shared__ float xs[T];
  float sum = 0;
  if (index_of(0) < 16) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ __attribute__((const)) int own_index(const int &axis) {
  return axis == 0 ? threadIdx.x : threadIdx.y;
}
KERNEL(said_to_be_const_here, int axis) {
  __shared__ float xs[T];
  float sum = 0;
  if (own_index(axis) < 16) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The result of an assignment is a name of the variable.
__device__ void add(int &q) { q += threadIdx.x; }
KERNEL(increment_handed, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q = n;
  add(++q);
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(assignment_handed, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q;
  add(q = n);
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(member_handed, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int2 q;
  add(q.x = n);
  if (q.x % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(assignment_bound, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q;
  int &r = (q = n);
  r += threadIdx.x;
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(assigned_again, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q = n;
  (q += 1) = threadIdx.x;
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(address_of_result, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q = n;
  int *p = &(q += 1);
  *p += threadIdx.x;
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(stored_by_assembly, int m) {
  __shared__ float xs[T];
  float sum = 0;
  asm volatile("st.u32 [%0], %1;" ::"l"(&m), "r"(threadIdx.x) : "memory");
  if (m < 16) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Other blocks change it meanwhile.
__device__ volatile int calls;
KERNEL(volatile_number, int more) {
  __shared__ float xs[T];
  float sum = 0;
  if (calls > n) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ int same(int a) { return a; }
KERNEL(volatile_argument, int more) {
  __shared__ float xs[T];
  float sum = 0;
  if (same(calls) > n) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(member_of_memory, const int2 *p) {
  __shared__ float xs[T];
  float sum = 0;
  int int2::*which = &int2::x;
  if (p->*which > 3) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(jump_in_expression, int more) {
  __shared__ float xs[T];
  float sum = 0;
  int q = 0;
  for (int i = 0; i < n; ++i) {
    threadIdx.x > i && ({ break; 1; });
    ++q;
  }
  if (q % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

union Parts {
  int whole;
  short half[2];
};
KERNEL(part_of_union, Parts v) {
  __shared__ float xs[T];
  float sum = 0;
  v.half[0] = threadIdx.x;
  if (v.whole % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

KERNEL(closure, int more) {
  __shared__ float xs[T];
  float sum = 0;
  const int own = threadIdx.x;
  auto f = [=](int a) { return a + own; };
  if (f(n) % 2 == 0) {
    for (int k = 0; k < n; k += T) {
      // CHECK: thread-values.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A label in the branch that the others come in by.
KERNEL(label_in_branch, int m) {
  __shared__ float xs[T];
  float sum = 0;
  switch (threadIdx.x & 1) {
  case 0:
    if (m) {
    case 1:
      for (int k = 0; k < n; k += T) {
        // CHECK: thread-values.cu:[[#@LINE-1]]:7: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
        xs[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
          sum += xs[j];
        __syncthreads();
      }
    } else {
      __syncthreads();
      sum = 1;
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}
