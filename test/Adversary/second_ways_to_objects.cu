// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that the loop's function knows by one name and something else by
// another: temporaries that a reference keeps alive, closures, pointers into
// the object whose member function runs the loop. What the compute of a tile
// writes decides what the next load reads.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu 2>/dev/null
// RUN: %execute %s %t.cu

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

struct Shift {
  int by;
};
struct Holder {
  Shift &of;
};

// The reference keeps the temporary alive.
__global__ void __launch_bounds__(T)
    temporary(const float *__restrict__ x, float *__restrict__ y, int n) {
  Shift &&s = Shift{0};
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    s.by = int(sum) & 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    temporary_number(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  int &&s = 0;
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s];
    __syncthreads();
    SUM
    s = int(sum) & 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The bound of the loop.
__global__ void __launch_bounds__(T)
    temporary_bound(const float *__restrict__ x, float *__restrict__ y, int n) {
  Shift &&s = Shift{n};
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < s.by; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    if (i == T)
      s.by -= T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    temporary_array(const float *__restrict__ x, float *__restrict__ y, int n) {
  int *p = (int[2]){0, 0};
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + p[0]];
    __syncthreads();
    SUM
    p[0] = int(sum) & 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nothing changes it.
__global__ void __launch_bounds__(T)
    temporary_read_legal(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  const Shift &s = Shift{1};
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    sum += s.by;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One object by two references.
__device__ float two_names(const float *x, const Shift &s, Shift &t, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    t.by = int(sum) & 1;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    handed_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  Shift &&s = Shift{0};
  y[threadIdx.x] = two_names(x, s, s, n);
}

// A closure changes what the reference is bound to.
template <typename F>
__device__ float with_closure(const float *x, Shift &s, F f, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    f(int(sum) & 1);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    closure_and_reference(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  Shift s{0};
  y[threadIdx.x] = with_closure(x, s, [&](int v) { s.by = v; }, n);
}

template <typename F>
__device__ float number_and_closure(const float *x, const int &s, F f, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s];
    __syncthreads();
    SUM
    f(int(sum) & 1);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    closure_and_number(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  int s = 0;
  y[threadIdx.x] = number_and_closure(x, s, [&](int v) { s = v; }, n);
}

template <typename F>
__device__ float pointer_and_closure(const float *__restrict__ x, const int *s,
                                     F f, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + *s];
    __syncthreads();
    SUM
    f(int(sum) & 1);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    closure_and_pointer(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  int s = 0;
  y[threadIdx.x] = pointer_and_closure(x, &s, [&](int v) { s = v; }, n);
}

// An object that holds a reference to the other one.
__device__ float with_holder(const float *x, Shift &s, Holder h, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    h.of.by = int(sum) & 1;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    holder_and_reference(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  Shift s{0};
  y[threadIdx.x] = with_holder(x, s, Holder{s}, n);
}

// The closure reaches nothing.
template <typename F>
__device__ float with_function(const float *__restrict__ x, const Shift &s, F f,
                               int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.by];
    __syncthreads();
    SUM
    sum = f(sum);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    closure_of_nothing_legal(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  Shift s{1};
  y[threadIdx.x] = with_function(x, s, [](float v) { return v * 0.5f; }, n);
}

// The closure changes the object of the loop.
struct Closed {
  const float *x;
  int by;
  template <typename F> __device__ float run(F f, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + by];
      __syncthreads();
      SUM
      f(int(sum) & 1);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    closure_and_own_object(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  Closed a{x, 0};
  y[threadIdx.x] = a.run([&](int v) { a.by = v; }, n);
}

// A pointer argument into the object of the loop.
struct Pointed {
  const float *x;
  int by;
  __device__ float run(int *p, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = __ldg(&x[i + threadIdx.x + by]);
      __syncthreads();
      SUM
      *p = int(sum) & 1;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    pointer_into_own_object(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  Pointed a{x, 0};
  y[threadIdx.x] = a.run(&a.by, n);
}

struct Moving {
  const float *x;
  int at;
  __device__ float run(const int *p, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[at + threadIdx.x];
      at += T;
      __syncthreads();
      SUM
      sum += *p;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    reads_what_load_moves(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  Moving a{x, 0};
  y[threadIdx.x] = a.run(&a.at, n);
}

struct Both {
  int by;
  __device__ float run(const float *x, Both &o, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + by];
      __syncthreads();
      SUM
      o.by = int(sum) & 1;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    object_and_reference(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  Both a{0};
  y[threadIdx.x] = a.run(x, a, n);
}

// One member of a union is the other.
union Overlaid {
  int by;
  unsigned bits;
  __device__ float run(const float *x, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + by];
      __syncthreads();
      SUM
      bits = int(sum) & 1;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    object_is_union(const float *__restrict__ x, float *__restrict__ y, int n) {
  Overlaid a{0};
  y[threadIdx.x] = a.run(x, n);
}

// The pointer points to something else, which is not followed.
struct Other {
  const float *x;
  int by;
  __device__ float run(int *p, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + by];
      __syncthreads();
      SUM
      *p = int(sum) & 1;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    pointer_elsewhere(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  Other a{x, 1};
  int b = 0;
  y[threadIdx.x] = a.run(&b, n) + b;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, T}, NAME, x, y, n);                                           \
    }                                                                          \
  }
EACH(temporary)
EACH(temporary_number)
EACH(temporary_bound)
EACH(temporary_array)
EACH(temporary_read_legal)
EACH(handed_twice)
EACH(closure_and_reference)
EACH(closure_and_number)
EACH(closure_and_pointer)
EACH(holder_and_reference)
EACH(closure_of_nothing_legal)
EACH(closure_and_own_object)
EACH(pointer_into_own_object)
EACH(reads_what_load_moves)
EACH(object_and_reference)
EACH(object_is_union)
EACH(pointer_elsewhere)
#endif
