// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of member functions whose tiles are parameters, and calls of them that
// nobody sees.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=5 --option=--allow-occupancy-drop %s
#include "Inputs/member_tiles.h"

constexpr int T = 64;

// What overrides it is called by its name.
struct Virtual {
  virtual __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
struct Overrides : Virtual {
  __device__ float run(float *xs, const float *x, int n) const override {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    by_base(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Overrides o;
  const Virtual &base = o;
  float s = o.Overrides::run(a, x, n);
  y[threadIdx.x] = s - 2 * base.run(b, x, n / 2);
}

// A pointer to a member function, and one to a static one, by three spellings.
struct Pointed {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    member_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Pointed p;
  float (Pointed::*f)(float *, const float *, int) const = &Pointed::run;
  float s = p.run(a, x, n);
  y[threadIdx.x] = s - 2 * (p.*f)(b, x, n / 2);
}

struct OfClass {
  static __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    static_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  auto *f = OfClass::run;
  float s = OfClass::run(a, x, n);
  y[threadIdx.x] = s - 2 * f(b, x, n / 2);
}

struct OfObject {
  static __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    static_of_object(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float a[T], b[T];
  OfObject o;
  float (*f)(float *, const float *, int) = o.run;
  float s = o.run(a, x, n);
  y[threadIdx.x] = s - 2 * f(b, x, n / 2);
}

struct Table {
  static __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
template <float (*F)(float *, const float *, int)>
__device__ float through(float *xs, const float *x, int n) {
  return F(xs, x, n);
}
__global__ void __launch_bounds__(T)
    template_argument(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float a[T], b[T];
  float s = Table::run(a, x, n);
  y[threadIdx.x] = s - 2 * through<Table::run>(b, x, n / 2);
}

// A library's template calls it: by its name, as an operator, of a class.
struct Driven {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    by_library(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Driven d;
  float s = d.run(a, x, n);
  y[threadIdx.x] = s - 2 * library::drive(d, b, x, n / 2);
}

struct Applied {
  __device__ float operator()(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    operator_by_library(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float a[T], b[T];
  Applied d;
  float s = d(a, x, n);
  y[threadIdx.x] = s - 2 * library::apply(d, b, x, n / 2);
}

struct Policy {
  static __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    static_by_library(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float a[T], b[T];
  float s = Policy::run(a, x, n);
  y[threadIdx.x] = s - 2 * library::Driver<Policy>::go(b, x, n / 2);
}

// The object has the address of what a reference names.
struct Adds {
  float *into;
  __device__ void run(float &sum, const float *x, int n) const {
    __shared__ float xs[T];
    int t = threadIdx.x;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t] + sum * 0.5f;
      __syncthreads();
      *into += xs[t ^ 1];
      __syncthreads();
    }
  }
};
__global__ void __launch_bounds__(T)
    object_has_variable(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  float sum = 1;
  Adds adds{&sum};
  adds.run(sum, x, n);
  y[threadIdx.x] = sum;
}

// It calls itself, with the same tile and another one.
struct Recurses {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = n > T ? run(xs, x, n / 2 / T * T) : 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    recurses(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Recurses r;
  y[threadIdx.x] = r.run(a, x, n);
}

// A constructor runs the loop, and one of a class of the kernel's calls it.
struct Makes {
  float sum;
  __device__ Makes(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    sum = s;
  }
};
__global__ void __launch_bounds__(T)
    constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Makes first(a, x, n), second{b, x, n / 2};
  y[threadIdx.x] = first.sum - 2 * second.sum;
}

struct ByLocal {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    local_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  struct Local {
    float sum;
    __device__ Local(float *xs, const float *x, int n) {
      sum = ByLocal().run(xs, x, n);
    }
  };
  __shared__ float a[T], b[T];
  Local local(b, x, n / 2);
  y[threadIdx.x] = ByLocal().run(a, x, n) - 2 * local.sum;
}

// Called in closures: of references, of copies, and of nothing.
struct InClosure_legal {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    closure_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  InClosure_legal c;
  auto sum = [&](int m) { return c.run(a, x, m); };
  y[threadIdx.x] = sum(n) - 2 * sum(n / 2);
}

struct InCopy_legal {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    closure_copies_legal(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float a[T];
  InCopy_legal c;
  auto sum = [=](int m) { return c.run(a, x, m); };
  y[threadIdx.x] = sum(n) - 2 * sum(n / 2);
}

struct InNone_legal {
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    closure_of_nothing_legal(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float a[T];
  auto sum = [](const float *x, int m) { return InNone_legal().run(a, x, m); };
  y[threadIdx.x] = sum(x, n) - 2 * sum(x, n / 2);
}

// A loop over a range calls what nobody writes; so does `new`.
struct Range {
  const float *src;
  int n, at;
  __device__ Range begin() const { return {src, n, 0}; }
  __device__ Range end() const { return {src, n, 2}; }
  __device__ bool operator!=(const Range &o) const { return at != o.at; }
  __device__ void operator++() { ++at; }
  __device__ float operator*() const {
    __shared__ float xs[T];
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = src[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    range_for(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float table[2 * T];
  table[threadIdx.x] = x[threadIdx.x];
  table[T + threadIdx.x] = x[threadIdx.x] + 1;
  __syncthreads();
  Range over{table, n < 2 * T ? n : 2 * T, 0}, global{x, n, 1};
  float s = 0;
  for (float one : over)
    s += one;
  y[threadIdx.x] = s - 2 * *global;
}

struct New {
  float v;
  static __device__ void *operator new(decltype(sizeof 0) size, float *xs,
                                       const float *x, int n, float *to) {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    *to = s;
    return to;
  }
};
__global__ void __launch_bounds__(T)
    allocates(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  float first, second;
  New::operator new(sizeof(New), a, x, n, &first);
  auto *made = new (b, x, n / 2, &second) New;
  y[threadIdx.x] = first - 2 * made->v;
}

// One text of two instantiations, whose callers have other arrays.
struct Instances_legal {
  template <int Scale>
  __device__ float run(float (&xs)[T], const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * Scale;
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    instances_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Instances_legal i;
  y[threadIdx.x] = i.run<2>(a, x, n) - i.run<3>(b, x, n);
}

// Called by a template's instantiations, of which each has its arrays.
struct Callee_legal {
  template <int Scale>
  __device__ float run(float (&xs)[T], const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * Scale;
      __syncthreads();
    }
    return s;
  }
};
template <int Scale> __device__ float calls(const float *x, int n) {
  __shared__ float a[T];
  return Callee_legal().run<Scale>(a, x, n);
}
__global__ void __launch_bounds__(T)
    instances_of_callers_legal(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  y[threadIdx.x] = calls<2>(x, n) - calls<3>(x, n / 2);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(by_base)
TILES(member_pointer)
TILES(static_pointer)
TILES(static_of_object)
TILES(template_argument)
TILES(by_library)
TILES(operator_by_library)
TILES(static_by_library)
TILES(object_has_variable)
TILES(recurses)
TILES(constructor)
TILES(local_class)
TILES(closure_legal)
TILES(closure_copies_legal)
TILES(closure_of_nothing_legal)
TILES(range_for)
TILES(allocates)
TILES(instances_legal)
TILES(instances_of_callers_legal)
#endif
