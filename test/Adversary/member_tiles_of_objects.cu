// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of member functions whose tiles are parameters: objects that have another
// way to the tile, and operands that are no parameters.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=5 --option=--allow-occupancy-drop %s

constexpr int T = 64;

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

struct Feeds {
  float *mine;
  __device__ float run(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float s = 0;
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t] + mine[t];
      __syncthreads();
      s += xs[t ^ 1];
      __syncthreads();
      xs[t] *= 0.5f;
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    object_is_read_ahead(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float a[T];
  Feeds f{a};
  a[threadIdx.x] = 2;
  y[threadIdx.x] = f.run(a, x, n);
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
  __device__ float *run(float *xs, const float *x, int n) {
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
  __device__ float operator()(float *xs, float *zs, const float *x,
                              int n) const {
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

// Objects that have nothing to do with the tile: two of them, an array's element,
// by a reference to the base, by a pointer, and one in shared memory that is
// only read.
struct Plain_legal {
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
struct More : Plain_legal {
  int more;
};
__global__ void __launch_bounds__(T)
    objects_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  Plain_legal one{2}, all[2] = {{3}, {4}};
  More more{};
  Plain_legal &base = more, *at = &one;
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
    shared_scale(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  __shared__ InShared scaled;
  if (threadIdx.x == 0)
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
    other_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  b[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  Other o{b};
  y[threadIdx.x] = o.run(a, x, n);
}

// Tiles in the order of the parameters, behind an object that is none.
struct Ordered_legal {
  __device__ float operator()(float (&xs)[T], float (&zs)[2 * T],
                              const float *x, int n) const {
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
  Ordered_legal f;
  y[threadIdx.x] = f(a, b, x, n);
}

// Private, of a friend's; defaulted arguments; a template's call that deduces.
class Private_legal {
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
  friend __device__ float ask(const Private_legal &, float *, const float *,
                              int);
};
__device__ float ask(const Private_legal &p, float *unused, const float *x,
                     int n) {
  __shared__ float a[T];
  return unused ? 1 : p.run(a, x, n);
}
__global__ void __launch_bounds__(T)
    private_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  Private_legal p;
  y[threadIdx.x] = ask(p, nullptr, x, n);
}

struct Deduces_legal {
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
  Deduces_legal d;
  y[threadIdx.x] = d.run(a, x, n);
}

// The host fills the object, of which the kernel makes another one.
struct Params {
  const float *x;
  int n;
};
struct Made_legal {
  Params p;
  __device__ explicit Made_legal(const Params &p) : p(p) {}
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
  y[threadIdx.x] = Made_legal(p).run(a);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(holds_tile)
TILES(set_before)
TILES(in_base)
TILES(of_array)
TILES(object_is_read_ahead)
TILES(keeps_address)
TILES(returns_address)
TILES(owns_tile)
TILES(shared_object)
TILES(given_twice)
TILES(conversion)
TILES(sizes)
TILES(parts)
TILES(beside)
TILES(objects_legal)
TILES(shared_scale)
TILES(other_tile)
TILES(ordered_legal)
TILES(private_legal)
TILES(deduces_legal)
CASE(of_parameters_legal) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, of_parameters_legal, Params{x, n}, y);
  }
}
#endif
