// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of member functions whose tiles are parameters: calls that nobody sees,
// objects that have another way to the tile, and operands that are no parameters.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=11 --option=--allow-occupancy-drop %s
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
static_of_object(const float *__restrict__ x, float *__restrict__ y, int n) {
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
template_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
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
operator_by_library(const float *__restrict__ x, float *__restrict__ y, int n) {
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
static_by_library(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  float s = Policy::run(a, x, n);
  y[threadIdx.x] = s - 2 * library::Driver<Policy>::go(b, x, n / 2);
}

// The object has a pointer to the tile: since it was made, by a call, by its
// base, in a copy, of its array's.
struct Holds {
  float *mine;
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += mine[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
holds_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Holds h{a};
  y[threadIdx.x] = h.run(a, x, n);
}

struct Set {
  float *mine;
  __device__ void set(float *p) { mine = p; }
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += mine[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
set_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Set h;
  h.set(a);
  y[threadIdx.x] = h.run(a, x, n);
}

struct HasPointer {
  float *mine;
};
struct Inherits : HasPointer {
  __device__ explicit Inherits(float *p) { mine = p; }
  __device__ float operator()(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += mine[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
in_base(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Inherits h(a);
  y[threadIdx.x] = h(a, x, n);
}

struct Elements {
  float *mine;
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += mine[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
of_array(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Elements all[2] = {{a}, {a}};
  y[threadIdx.x] = all[n & 1].run(a, x, n);
}

// It keeps the tile's address, and is asked behind the call.
struct Keeps {
  float *mine;
  __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    mine = xs;
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
keeps_address(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Keeps k{nullptr};
  float s = k.run(a, x, n);
  y[threadIdx.x] = s + (n ? k.mine[threadIdx.x ^ 1] : 0);
}

struct Returns {
  float sum;
  __device__ float * run(float *xs, const float *x, int n) {
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
    return xs;
  }
};
__global__ void __launch_bounds__(T)
returns_address(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Returns r{0};
  float *last = r.run(a, x, n);
  y[threadIdx.x] = r.sum + (n ? last[threadIdx.x ^ 1] : 0);
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

// The tile is a part of the object, which lies in shared memory.
struct Owns {
  float tile[T], sum[T];
  __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    sum[t] = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum[t] += tile[j ^ t] * (t - j);
      __syncthreads();
    }
    return sum[t];
  }
};
__global__ void __launch_bounds__(T)
owns_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Owns o;
  y[threadIdx.x] = o.run(o.tile, x, n);
}

// What it makes of the tile lies in a shared object, and is read by others.
struct SharedSum {
  float sum[T];
  __device__ float run(float *xs, const float *x, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t] + sum[t ^ 1];
      __syncthreads();
      sum[t] = xs[t ^ 3] * 0.5f;
      __syncthreads();
    }
    return sum[t ^ 5];
  }
};
__global__ void __launch_bounds__(T)
shared_object(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  __shared__ SharedSum o;
  o.sum[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = o.run(a, x, n);
}

// The array by two names of one call: two parameters, an object that is one.
struct Twice {
  __device__ float operator()(float *xs, float *zs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += zs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
given_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Twice f;
  y[threadIdx.x] = f(a, a, x, n);
}

// An object becomes the tile's address.
struct Converts {
  float *p;
  __device__ operator float *() const { return p; }
};
struct Takes {
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
conversion(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Converts c{a};
  Takes takes;
  float s = takes.run(c, x, n);
  y[threadIdx.x] = s + (n ? a[threadIdx.x ^ 1] : 0);
}

// Arrays of two sizes, and a part of one.
struct Sizes {
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
sizes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[3 * T];
  Sizes z;
  float s = z.run(a, x, n);
  y[threadIdx.x] = s - 2 * z.run(b, x, n / 2);
}

struct Parts {
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
parts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[2 * T];
  Parts z;
  float s = z(a, x, n);
  y[threadIdx.x] = s - 2 * z(a + T, x, n / 2);
}

// Read behind the call, and stored before it.
struct Beside {
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
beside(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Beside b;
  a[threadIdx.x] = 3;
  __syncthreads();
  float s = b.run(a, x, n);
  y[threadIdx.x] = s + a[threadIdx.x ^ 1];
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
struct InClosure {
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
  InClosure c;
  auto sum = [&](int m) { return c.run(a, x, m); };
  y[threadIdx.x] = sum(n) - 2 * sum(n / 2);
}

struct InCopy {
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
closure_copies(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  InCopy c;
  auto sum = [=](int m) { return c.run(a, x, m); };
  y[threadIdx.x] = sum(n) - 2 * sum(n / 2);
}

struct InNone {
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
closure_of_nothing(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  auto sum = [](const float *x, int m) { return InNone().run(a, x, m); };
  y[threadIdx.x] = sum(x, n) - 2 * sum(x, n / 2);
}

// A loop over a range calls what nobody writes; so does `new`.
struct Range {
  float *tile;
  const float *x;
  int n, at;
  __device__ Range begin() const { return {tile, x, n, 0}; }
  __device__ Range end() const { return {tile, x, n, 2}; }
  __device__ bool operator!=(const Range &o) const { return at != o.at; }
  __device__ void operator++() { ++at; }
  __device__ float operator*() const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      tile[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += tile[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
range_for(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Range over{a, x, n, 0};
  float s = 0;
  for (float one : over)
    s += one;
  over.tile = b;
  y[threadIdx.x] = s - 2 * *over;
}

struct New {
  float v;
  static __device__ void *operator new(decltype(sizeof 0) size, float *xs, const float *x, int n, float *to) {
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

// Objects that have nothing to do with the tile: two of them, an array's element,
// by a reference to the base, by a pointer, and one in shared memory that is
// only read.
struct Plain {
  float scale;
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * scale * (t - j);
      __syncthreads();
    }
    return s;
  }
};
struct More : Plain {
  int more;
};
__global__ void __launch_bounds__(T)
objects_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Plain one{2}, all[2] = {{3}, {4}};
  More more{};
  Plain &base = more, *at = &one;
  float s = one.run(a, x, n) - all[n & 1].run(b, x, n);
  s += base.run(a, x, n) - more.run(b, x, n);
  y[threadIdx.x] = s + at->run(a, x, n / 2);
}

struct InShared {
  float scale;
  __device__ float operator()(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * scale * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
shared_scale_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  __shared__ InShared scaled;
  scaled.scale = 0.5f;
  __syncthreads();
  y[threadIdx.x] = scaled(a, x, n);
}

// The object has pointers to another tile.
struct Other {
  float *mine;
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * mine[j];
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
other_tile_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  b[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  Other o{b};
  y[threadIdx.x] = o.run(a, x, n);
}

// Tiles in the order of the parameters, behind an object that is none.
struct Ordered {
  __device__ float operator()(float (&xs)[T], float (&zs)[2 * T], const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      zs[2 * t] = x[i + T - 1 - t];
      zs[2 * t + 1] = x[i + t] * 2;
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * zs[j + t];
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
ordered_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[2 * T];
  Ordered f;
  y[threadIdx.x] = f(a, b, x, n);
}

// Private, of a friend's; defaulted arguments; a template's call that deduces.
class Private {
  float scale = 0.5f;
  __device__ float run(float *xs, const float *x, int n, int step = 2) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * scale * step;
      __syncthreads();
    }
    return s;
  }
  friend __device__ float ask(const Private &, float *, const float *, int);
};
__device__ float ask(const Private &p, float *unused, const float *x, int n) {
  __shared__ float a[T];
  return unused ? 1 : p.run(a, x, n);
}
__global__ void __launch_bounds__(T)
private_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  Private p;
  y[threadIdx.x] = ask(p, nullptr, x, n);
}

struct Deduces {
  template <typename E, int N>
  __device__ E run(E (&xs)[N], const E *x, int n) const {
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
deduces_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Deduces d;
  y[threadIdx.x] = d.run(a, x, n);
}

// One text of two instantiations, whose callers have other arrays.
struct Instances {
  template <int Scale>
  __device__ float run(float *xs, const float *x, int n) const {
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
  Instances i;
  y[threadIdx.x] = i.run<2>(a, x, n) - i.run<3>(b, x, n);
}

// Called by a template's instantiations, of which each has its arrays.
struct Callee {
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
  return Callee().run<Scale>(a, x, n);
}
__global__ void __launch_bounds__(T)
instances_of_callers_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = calls<2>(x, n) - calls<3>(x, n / 2);
}

// The host fills the object, of which the kernel makes another one.
struct Params {
  const float *x;
  int n;
};
struct Made {
  Params p;
  __device__ explicit Made(const Params &p) : p(p) {}
  __device__ float run(float *xs) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < p.n; i += T) {
      xs[t] = p.x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T) of_parameters_legal(Params p, float *y) {
  __shared__ float a[T];
  y[threadIdx.x] = Made(p).run(a);
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
TILES(holds_tile)
TILES(set_before)
TILES(in_base)
TILES(of_array)
TILES(keeps_address)
TILES(returns_address)
TILES(recurses)
TILES(owns_tile)
TILES(shared_object)
TILES(given_twice)
TILES(conversion)
TILES(sizes)
TILES(parts)
TILES(beside)
TILES(constructor)
TILES(local_class)
TILES(closure_legal)
TILES(closure_copies)
TILES(closure_of_nothing)
TILES(range_for)
TILES(allocates)
TILES(objects_legal)
TILES(shared_scale_legal)
TILES(other_tile_legal)
TILES(ordered_legal)
TILES(private_legal)
TILES(deduces_legal)
TILES(instances_legal)
TILES(instances_of_callers_legal)
CASE(of_parameters_legal) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, of_parameters_legal, Params{x, n}, y);
  }
}
#endif
