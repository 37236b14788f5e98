// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, as those of Kernels/member_helpers.cu
// do, and something more: they read it, change their object or are called on
// another one for each tile; and objects that somebody changes by another name.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=8 %s

constexpr int T = 64;

#define SUM_OF(N)                                                              \
  for (int j = 0; j < (N); ++j)                                                \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct Loader {
  const float *p;
  int shift;
  mutable int calls;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * (shift + 1);
  }
  __device__ void copy(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  // Elements that depend on the object.
  __device__ void half(float (&s)[T], const float *from) const {
    if (threadIdx.x < T / 2)
      s[threadIdx.x + shift] = from[threadIdx.x];
  }
  __device__ void smooth(float (&s)[T], int k) const {
    s[threadIdx.x] = s[threadIdx.x] * 0.5f + p[k + threadIdx.x];
  }
  __device__ void counted(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
    ++calls;
  }
  __device__ void unconst(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
    const_cast<Loader *>(this)->shift ^= 1;
  }
  __device__ void stepping(float (&s)[T]) {
    s[threadIdx.x] = p[threadIdx.x];
    p += T;
  }
  __device__ void next(float (&s)[T]) {
    s[threadIdx.x] = p[threadIdx.x] + shift;
    ++shift;
  }
  __device__ void synced(float (&s)[T], int k) const {
    if (shift)
      __syncthreads();
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void early(float (&s)[T], int k) const {
    if (shift)
      return;
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void deep(float (&s)[T], int k) const { copy(s, k); }
  __device__ void again(float (&s)[T], int k, int times = 1) const {
    if (times)
      again(s, k, times - 1);
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void where(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + (__LINE__ - __LINE__);
  }
};

// --- The member reads or changes more than its tile.

KERNEL(reads_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.smooth(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(counts_for_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.counted(xs, k);
    __syncthreads();
    SUM *l.calls;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(unconst) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.unconst(xs, k);
    __syncthreads();
    SUM + l.shift;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(next_for_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.next(xs);
    __syncthreads();
    SUM + l.shift;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(steps) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.stepping(xs);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(stepped_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.copy(xs, 0);
    __syncthreads();
    SUM;
    l.p += T;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(synced) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, n > 2 * T, 0};
  for (int k = 0; k < n; k += T) {
    l.synced(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(leaves_early) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, t & 1, 0};
  for (int k = 0; k < n; k += T) {
    l.early(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(deep) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.deep(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(recursive) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.again(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(line_of_the_member) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.where(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

// --- The compute changes the object, by whatever name.

KERNEL(shifted_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(shifted_by_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  Loader &m = l;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    m.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(shifted_by_pointer) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  int *p = &l.shift;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    *p ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(called_by_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  const Loader &m = l;
  for (int k = 0; k < n; k += T) {
    m.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(replaced_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0}, other{x + T, 1, 0};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l = other;
    __syncthreads();
  }
  y[t] = sum;
}
__device__ float aliased_members(const Loader &l, int &shift, float *y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    shift ^= 1;
    __syncthreads();
  }
  return sum;
}
KERNEL(aliased) {
  Loader l{x, 0, 0};
  y[threadIdx.x] = aliased_members(l, l.shift, y, n);
}
struct Own {
  const float *p;
  int shift;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
  }
  __device__ float run(int n) {
    __shared__ float xs[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      load(xs, k);
      __syncthreads();
      SUM;
      shift ^= 1;
      __syncthreads();
    }
    return sum;
  }
  __device__ float run_legal(int n) {
    __shared__ float xs[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      load(xs, k);
      __syncthreads();
      SUM;
      __syncthreads();
    }
    return sum;
  }
};
KERNEL(own_object) {
  Own o{x, 0};
  y[threadIdx.x] = o.run(n);
}
KERNEL(own_object_legal) {
  Own o{x, 2};
  y[threadIdx.x] = o.run_legal(n);
}
KERNEL(in_shared_memory) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  __shared__ Loader l;
  if (t == 0)
    l.p = x, l.shift = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    if (t == 0)
      l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
struct Points {
  const float *p;
  int shift;
  const int *by;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + *by;
  }
};
KERNEL(points_into_itself) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Points l{x, 0, nullptr};
  l.by = &l.shift;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(points_to_a_variable) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  Points l{x, 0, &shift};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}
struct Refers {
  const float *p;
  const int &by;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + by;
  }
};
KERNEL(refers_to_a_variable) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  Refers l{x, shift};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(in_the_header) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  struct {
    Loader l;
    int k;
  } s{{x, 0, 0}, 0};
  for (s.l.shift = 0; s.l.shift < n; s.l.shift += T) {
    s.l.load(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

// --- Another object for another tile.

KERNEL(of_an_array) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader ls[2] = {{x, 0, 0}, {x, T / 2, 0}};
  for (int k = 0; k < n; k += T) {
    ls[k / T & 1].half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_choice) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    (k & T ? b : a).half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_pointer) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    const Loader *l = k & T ? &b : &a;
    l->half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    const Loader &l = k & T ? b : a;
    l.half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_pointers_that_change_places) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  const Loader *l = &a, *m = &b;
  for (int k = 0; k < n; k += T) {
    l->half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    const Loader *o = l;
    l = m;
    m = o;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_each_run) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int r = 0; r < 3; ++r) {
    Loader l{x, r & 1 ? T / 2 : 0, 0};
    for (int k = 0; k < n; k += T) {
      l.half(xs, x + k);
      __syncthreads();
      SUM_OF(r ? T : T / 2);
      __syncthreads();
    }
  }
  y[t] = sum;
}
KERNEL(counts_in_the_object) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader ls[2] = {{x, 0, 0}, {x, 3, 0}};
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ls[c++ & 1].load(xs, k);
    __syncthreads();
    SUM + c;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(made_in_the_loop) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    Loader l{x + k, 2, 0};
    l.load(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(copied_in_the_loop) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    Loader m = l;
    m.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_temporary) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  for (int k = 0; k < n; k += T) {
    Loader{x, shift, 0}.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}

// --- One tile of several members.

KERNEL(one_tile_twice) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader a{x, 0, 0}, b{x + T, 0, 0};
  for (int k = 0; k < n; k += T) {
    a.copy(xs, k);
    b.half(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Holds {
  const float *p;
  float *s;
  __device__ void load(int k) const { s[threadIdx.x] = p[k + threadIdx.x]; }
};
KERNEL(holds_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Holds l{x, xs};
  for (int k = 0; k < n; k += T) {
    l.load(k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(holds_the_tile_by_halves) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Holds l{x, xs};
  Loader m{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.load(k);
    m.half(xs, x + k + 1);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct HoldsReference {
  const float *p;
  float (&s)[T];
  __device__ void operator()(int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
KERNEL(refers_to_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  HoldsReference l{x, xs};
  for (int k = 0; k < n; k += T) {
    l(k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

// --- Which function is called.

struct Virtual {
  const float *p;
  __device__ Virtual(const float *p) : p(p) {}
  __device__ virtual void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
struct Overrides : Virtual {
  __device__ Overrides(const float *p) : Virtual(p) {}
  __device__ void load(float (&s)[T], int k) const override {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
KERNEL(is_virtual) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Overrides o(x);
  const Virtual &l = o;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Derived : Loader {
  __device__ Derived(const float *p) : Loader{p, 1, 0} {}
  // Hides that of the base.
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 3;
  }
};
KERNEL(derived_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_the_base_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.Loader::load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(inherited_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.copy(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Uses : private Loader {
  __device__ Uses(const float *p) : Loader{p, 1, 0} {}
  using Loader::load;
};
KERNEL(found_by_using) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Uses l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Overloads {
  const float *p;
  __device__ void load(float *s, long k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void load(float *s, int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
  __device__ void load(float *s, int k) {
    s[threadIdx.x] = p[k + threadIdx.x] * 3;
  }
};
KERNEL(overloads_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  const Overloads l{x};
  Overloads m{x};
  __shared__ float zs[T], us[T];
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    m.load(zs, k);
    l.load(us, long(k));
    __syncthreads();
    SUM + zs[j] - us[j ^ 1];
    __syncthreads();
  }
  y[t] = sum;
}
template <class E> struct Base {
  const E *p;
  __device__ void load(E (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
template <class E> struct OfBase : Base<E> {
  __device__ OfBase(const E *p) : Base<E>{p} {}
  __device__ E run(int n) {
    __shared__ float xs[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      this->load(xs, k);
      __syncthreads();
      SUM;
      __syncthreads();
    }
    return sum;
  }
};
KERNEL(of_a_template_base) {
  OfBase<float> o(x);
  y[threadIdx.x] = o.run(n);
}
template <class E, class Twice> struct Scaled {
  static __device__ void copy(E *s, const E *p) {
    s[threadIdx.x] = p[threadIdx.x];
  }
};
template <class E> struct Scaled<E, int> {
  static __device__ void copy(E *s, const E *p) {
    s[threadIdx.x] = p[threadIdx.x] * 2;
  }
};
template <class W> __device__ float specialized(const float *x, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    Scaled<float, W>::copy(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_specializations) {
  y[threadIdx.x] = specialized<int>(x, n) - specialized<float>(x, n);
}
struct Plain {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
struct Doubled {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
template <class F> __device__ float functor(F load, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_two_functors) {
  y[threadIdx.x] = functor(Plain{x}, n) + functor(Doubled{x}, n);
}
template <class F> __device__ float functor_of_closures(F load, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_a_closure) {
  int by = 3;
  y[threadIdx.x] = functor_of_closures(
      [=](float (&s)[T], int k) { s[threadIdx.x] = x[k + threadIdx.x] * by; },
      n);
}
KERNEL(of_a_closure_that_refers) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int by = 3;
  auto load = [&](float (&s)[T], int k) { s[t] = x[k + t] * by; };
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    ++by;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_local_class) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  struct Local {
    const float *p;
    __device__ void load(float (&s)[T], int k) const {
      s[threadIdx.x] = p[k + threadIdx.x];
    }
  } l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Outside {
  const float *p;
  __device__ void load(float (&s)[T], int k) const;
};
__device__ void Outside::load(float (&s)[T], int k) const {
  s[threadIdx.x] = p[k + threadIdx.x];
}
KERNEL(defined_outside) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Outside l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
// A friend may name what is private, and so its clones.
class Private {
  const float *p;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ static void twice(float (&s)[T], const float *p) {
    s[threadIdx.x] = p[threadIdx.x] + 1;
  }

public:
  __device__ Private(const float *p) : p(p) {}
  friend __global__ void friend_legal(const float *__restrict__,
                                      float *__restrict__, int);
};
KERNEL(friend_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  __shared__ float zs[T];
  Private l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    Private::twice(zs, x + k);
    __syncthreads();
    SUM *zs[j];
    __syncthreads();
  }
  y[t] = sum;
}
// What the registers' type would be made of is declared behind the member.
struct Later {
  const float *p;
  __device__ void load(float (&s)[T], int k) const {
    for (int i = threadIdx.x; i < Size; i += 64)
      s[i] = p[k + i] * 2;
  }
  static constexpr int Size = T;
};
KERNEL(later_members) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Later l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
// An object in memory that the loop writes.
KERNEL(reads_what_compute_writes) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{y, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.copy(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
    y[t] = sum + x[k + t];
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(reads_the_tile)
TILES(counts_for_compute)
TILES(unconst)
TILES(next_for_compute)
TILES(steps)
TILES(stepped_by_compute)
TILES(synced)
TILES(leaves_early)
TILES(deep)
TILES(recursive)
TILES(line_of_the_member)
TILES(shifted_by_compute)
TILES(shifted_by_reference)
TILES(shifted_by_pointer)
TILES(called_by_reference)
TILES(replaced_by_compute)
TILES(aliased)
TILES(own_object)
TILES(own_object_legal)
TILES(in_shared_memory)
TILES(points_into_itself)
TILES(points_to_a_variable)
TILES(refers_to_a_variable)
TILES(in_the_header)
TILES(of_an_array)
TILES(of_a_choice)
TILES(of_a_pointer)
TILES(of_a_reference)
TILES(of_pointers_that_change_places)
TILES(of_each_run)
TILES(counts_in_the_object)
TILES(made_in_the_loop)
TILES(copied_in_the_loop)
TILES(of_a_temporary)
TILES(one_tile_twice)
TILES(holds_the_tile)
TILES(holds_the_tile_by_halves)
TILES(refers_to_the_tile)
TILES(is_virtual)
TILES(derived_legal)
TILES(of_the_base_legal)
TILES(inherited_legal)
TILES(found_by_using)
TILES(overloads_legal)
TILES(of_a_template_base)
TILES(of_specializations)
TILES(of_two_functors)
TILES(of_a_closure)
TILES(of_a_closure_that_refers)
TILES(of_a_local_class)
TILES(defined_outside)
TILES(friend_legal)
TILES(later_members)
UPDATES(reads_what_compute_writes)
#endif
