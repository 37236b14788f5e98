// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile loops that a block runs more than once, each time to another part of
// their array: what the place hangs on is changed between the runs by a name
// that cannot be traced, or where a `goto` may pass it by.
// REQUIRES: executor
// RUN: %variants --ways=few %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='2 stages of xs'
//
// What nobody can change unseen keeps two stages.
// CHECK-DAG: 2 stages of plain

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define START                                                                  \
  const int t = threadIdx.x;                                                   \
  float sum = 0;
#define SUM_OF(Run)                                                            \
  for (int i = 0; i < Run * T + T; ++i)                                        \
    sum += xs[i] * ((i ^ t) & 7);

struct Place {
  int at;
  __device__ int get() const { return at; }
  __device__ void set(int a) { at = a; }
};
struct Pointer {
  int *p;
};
union Either {
  int *p;
  long l;
};
struct Span {
  int *b, *e;
  __device__ int *begin() const { return b; }
  __device__ int *end() const { return e; }
};
struct Stepper {
  int *o;
  __device__ virtual void step() = 0;
};
struct ByTile : Stepper {
  __device__ void step() override { *o += T; }
};
struct AtEnd {
  int &o;
  __device__ ~AtEnd() { o += T; }
};

KERNEL(range_of_references) {
  __shared__ float xs[2 * T];
  START
  int at[1] = {-T};
  for (int p = 0; p < 2; ++p) {
    for (int &o : at)
      o += T;
    for (int k = 0; k < n; k += T) {
      xs[at[0] + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(range_of_objects) {
  __shared__ float xs[2 * T];
  START
  Place at[1] = {{-T}};
  for (int p = 0; p < 2; ++p) {
    for (auto &o : at)
      o.at += T;
    for (int k = 0; k < n; k += T) {
      xs[at[0].at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(range_of_pointers) {
  __shared__ float xs[2 * T];
  START
  int at = -T, *ps[1] = {&at};
  for (int p = 0; p < 2; ++p) {
    for (int *o : ps)
      *o += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(range_of_a_class) {
  __shared__ float xs[2 * T];
  START
  int at[1] = {-T};
  for (int p = 0; p < 2; ++p) {
    for (int &o : Span{at, at + 1})
      o += T;
    for (int k = 0; k < n; k += T) {
      xs[at[0] + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(array_of_pointers) {
  __shared__ float xs[2 * T];
  START
  int at = -T, *ps[1] = {&at};
  for (int p = 0; p < 2; ++p) {
    *ps[0] += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(pointer_to_pointer) {
  __shared__ float xs[2 * T];
  START
  int at = -T, *q = &at, **qq = &q;
  for (int p = 0; p < 2; ++p) {
    **qq += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(address_as_number) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  auto q = (unsigned long long)&at;
  for (int p = 0; p < 2; ++p) {
    *(int *)q += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(array_of_objects) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  Pointer q[2] = {{&at}, {&at}};
  for (int p = 0; p < 2; ++p) {
    *q[1].p += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(member_of_union) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  Either u;
  u.p = &at;
  for (int p = 0; p < 2; ++p) {
    *u.p += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(address_in_shared) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  __shared__ int *sp[T];
  sp[t] = &at;
  for (int p = 0; p < 2; ++p) {
    *sp[t] += T;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(virtual_function) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  ByTile d;
  d.o = &at;
  Stepper &b = d;
  for (int p = 0; p < 2; ++p) {
    b.step();
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(destructor) {
  __shared__ float xs[2 * T];
  START
  int at = -T;
  for (int p = 0; p < 2; ++p) {
    {
      AtEnd d{at};
    }
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(closure) {
  __shared__ float xs[2 * T];
  START
  int at = -T, *ps[2] = {&at, &at};
  auto step = [&](int i) { *ps[i] += T; };
  for (int p = 0; p < 2; ++p) {
    step(1);
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(in_the_condition) {
  __shared__ float xs[2 * T];
  START
  int at = -T, p = -1, *ps[1] = {&at};
  while ((*ps[0] += T) < 2 * T) {
    ++p;
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + p] * 2;
      __syncthreads();
      SUM_OF(p)
      __syncthreads();
    }
  }
  y[t] = sum;
}

// One run stores the first part, the other passes the assignment by.
__device__ float goto_past_closure_run(const float *__restrict__ x, int mode,
                                       int n) {
  __shared__ float xs[2 * T];
  START {
    int at = 0;
    auto high = [&] {
      if (t >= 0)
        return T;
      return 0;
    };
    if (mode == 0)
      goto skip;
    at = high();
  skip:
    for (int k = 0; k < n; k += T) {
      xs[at + t] = x[k + t + mode] * 2;
      __syncthreads();
      SUM_OF(mode)
      __syncthreads();
    }
  }
  return sum;
}
KERNEL(goto_past_closure) {
  const float sum = goto_past_closure_run(x, 0, n);
  y[threadIdx.x] = sum + goto_past_closure_run(x, 1, n);
}
__device__ float goto_past_member_run(const float *__restrict__ x, int mode,
                                      int n) {
  __shared__ float xs[2 * T];
  START {
    Place at{0};
    if (mode == 0)
      goto skip;
    at.set(T);
  skip:
    for (int k = 0; k < n; k += T) {
      xs[at.get() + t] = x[k + t + mode] * 2;
      __syncthreads();
      SUM_OF(mode)
      __syncthreads();
    }
  }
  return sum;
}
KERNEL(goto_past_member) {
  const float sum = goto_past_member_run(x, 0, n);
  y[threadIdx.x] = sum + goto_past_member_run(x, 1, n);
}
__device__ float goto_past_float_run(const float *__restrict__ x, int mode,
                                     int n) {
  __shared__ float xs[2 * T];
  START {
    float at = 0;
    if (mode == 0)
      goto skip;
    at = T;
  skip:
    for (int k = 0; k < n; k += T) {
      xs[int(at) + t] = x[k + t + mode] * 2;
      __syncthreads();
      SUM_OF(mode)
      __syncthreads();
    }
  }
  return sum;
}
KERNEL(goto_past_float) {
  const float sum = goto_past_float_run(x, 0, n);
  y[threadIdx.x] = sum + goto_past_float_run(x, 1, n);
}

// The twin: what is written unseen is another variable.
KERNEL(beside) {
  __shared__ float plain[T];
  const int t = threadIdx.x;
  float sum = 0;
  int other = 0, at = t;
  int *ps[1] = {&other};
  for (int p = 0; p < 2; ++p) {
    *ps[0] += T;
    for (int k = 0; k < n; k += T) {
      int mine = at;
      if (mine < T)
        plain[mine] = x[k + t + p] * 2;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += plain[i] * ((i ^ t) & 7);
      __syncthreads();
    }
  }
  y[t] = sum + other;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(Name)                                                             \
  CASE(Name) {                                                                 \
    auto x = in<float>("x", 6 * T + 16), y = out<float>("y", T);               \
    launch({1, T}, Name, x, y, 5 * T);                                         \
  }
EACH(range_of_references)
EACH(range_of_objects)
EACH(range_of_pointers)
EACH(range_of_a_class)
EACH(array_of_pointers)
EACH(pointer_to_pointer)
EACH(address_as_number)
EACH(array_of_objects)
EACH(member_of_union)
EACH(address_in_shared)
EACH(virtual_function)
EACH(destructor)
EACH(closure)
EACH(in_the_condition)
EACH(goto_past_closure)
EACH(goto_past_member)
EACH(goto_past_float)
EACH(beside)
#endif
