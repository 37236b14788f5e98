// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects whose member functions do what their names do not say: they look like
// those of Kernels/objects.cu and Kernels/methods.cu. Kernels named `own_...`
// load what the compute of the tile before has written.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck --check-prefix=CAUSE %s

constexpr int T = 64;

struct View {
  const float *p;
  __device__ float operator[](int i) const { return p[i]; }
};
struct Setter {
  const float *p;
  __device__ Setter(const float *q) : p(q) {}
  __device__ float get(int i) const { return p[i]; }
  __device__ void set(const float *q) { p = q; }
  __device__ Setter &with(const float *q) {
    p = q;
    return *this;
  }
  __device__ const float *&slot() { return p; }
  __device__ const float **address() { return &p; }
};

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

// The accessor aliases the output of the loop.
__global__ void __launch_bounds__(T)
    aliasing_accessor(float *x, float *y, int n) {
  __shared__ float xs[T];
  View in{x + T};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    SUM x[i + 2 * T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// operator[] counts.
struct Counter {
  const float *p;
  mutable int count;
  __device__ float operator[](int i) const { return p[i + count++]; }
};
__global__ void __launch_bounds__(T)
    counting(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Counter in{x, 0};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    SUM sum += in.count;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A member function that writes the memory which the load reads.
struct Log {
  float *p;
  __device__ void note(int i, float v) const { p[i] = v; }
};
__global__ void __launch_bounds__(T) own_logged(float *x, float *y, int n) {
  __shared__ float xs[T];
  Log log{x};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM log.note(i + T + threadIdx.x, sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A conversion that reads shared memory.
__shared__ float kept[T];
struct Kept {
  int at;
  __device__ operator float() const { return kept[at]; }
};
__global__ void __launch_bounds__(T)
    own_conversion(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  kept[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + float(Kept{int(threadIdx.x) ^ 1});
    __syncthreads();
    SUM kept[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer is changed by a member function, in a constructor's body, through a
// reference that one returns, through the address of a member, by a const
// member function, by a callee, by a base, and by an assignment that is a
// function.
#define FIRST (threadIdx.x ^ 1)

struct InBody {
  const float *p, *q;
  __device__ InBody(const float *a, const float *b) : p(a) { q = b, p = q; }
};
struct Mutable {
  mutable const float *p;
  __device__ void set(const float *q) const { p = q; }
  __device__ float get(int i) const { return p[i]; }
};
struct Derived : Setter {
  __device__ Derived(const float *q) : Setter(q) {}
  __device__ void both(const float *q) { Setter::set(q); }
};
struct Assigned {
  const float *p;
  __device__ Assigned(const float *q) : p(q) {}
  __device__ Assigned &operator=(const float *q) {
    p = q;
    return *this;
  }
};
struct Inner {
  Setter s;
  __device__ Inner(const float *q) : s(q) {}
  __device__ Setter &inner() { return s; }
};
struct Default {
  const float *p = kept;
};
struct Cast {
  const float *p;
  __device__ void set(const float *q) const { const_cast<Cast *>(this)->p = q; }
};
struct Steps {
  const float *p;
  __device__ Steps &operator++() {
    ++p;
    return *this;
  }
  __device__ float operator*() const { return *p; }
};
union Bits {
  struct {
    const float *p;
  } as;
  const float *q;
  __device__ void set(const float *r) { q = r; }
};
struct Virtual {
  const float *p;
  __device__ virtual void set(const float *q) { p = q; }
};
__device__ void give(Setter &s, const float *q) { s.set(q); }
__device__ Setter made(const float *q) { return Setter(q); }
__device__ void through(Setter *s, const float *q) { s->set(q); }
template <typename F> __device__ void run(F f) { f(); }

__global__ void __launch_bounds__(T)
    own_constructed(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_set(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  s.set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_with(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  s.with(x).set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_by_reference(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  Setter &r = s.with(x);
  r.p = own;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_slot(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  s.slot() = own;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_address(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  *s.address() = own;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_in_body(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  InBody s(x, own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_mutable(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Mutable s{x};
  s.set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_by_base(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Derived s(x);
  s.both(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_assigned(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Assigned s(x);
  s = own;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_inner(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Inner s(x);
  s.inner().set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_default(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  kept[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Default s;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.p[FIRST];
    __syncthreads();
    SUM kept[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_cast(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Cast s{x};
  s.set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_by_callee(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  give(s, own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  through(&s, own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_returned(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  s = made(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_by_closure(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  run([&] { s.set(own); });
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_of_a_temporary(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + Setter(own).get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_with_of_a_temporary(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + Setter(x).with(own).get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_of_a_union(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Bits s{{x}};
  s.set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.as.p[FIRST];
    // CAUSE: objects.cu:[[#@LINE-1]]:44: warning: not pipelined: the load region reads memory that cannot be traced, which the loop writes [kpipe-carried-shared]
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_virtual(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Virtual s;
  s.p = x;
  s.set(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_iterator(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Steps s{own};
  ++s;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + *s;
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_copy(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter r(own);
  Setter s(x);
  s = r;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_braces(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        x[i + threadIdx.x] +
        (*(const float *const *)&(const float *const &)View{own}.p)[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_pointer_in_braces(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  const float *p{own};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    own_pointer_in_parentheses(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  const float *p(own);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + p[FIRST];
    __syncthreads();
    SUM own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Loops in member functions.
struct Aliased {
  float *x, *y;
  __device__ void run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      SUM y[i + threadIdx.x] = sum;
      __syncthreads();
    }
  }
};
__global__ void __launch_bounds__(T)
    aliased_members(float *x, float *y, int n) {
  Aliased a{x, x + T};
  a.run(n);
  y[threadIdx.x] = x[threadIdx.x];
}
struct Carried {
  const float *x;
  float scale;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x] * scale;
      __syncthreads();
      SUM scale += sum;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    carried_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  Carried a{x, 1};
  y[threadIdx.x] = a.run(n);
}
struct Both {
  const float *x;
  int at;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[at + threadIdx.x];
      __syncthreads();
      SUM sum += at;
      at += T;
      // CAUSE: objects.cu:[[#@LINE-1]]:7: warning: not pipelined: 'at' is written by the load region and read by the compute region [kpipe-carried-scalar]
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    member_of_both(const float *__restrict__ x, float *__restrict__ y, int n) {
  Both a{x, 0};
  y[threadIdx.x] = a.run(n);
}
struct Bound {
  const float *x;
  int n;
  __device__ float run() {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      SUM if (i == T) n -= T;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    bound_changes(const float *__restrict__ x, float *__restrict__ y, int n) {
  Bound a{x, n};
  y[threadIdx.x] = a.run();
}
// The object is in shared memory, which every thread changes.
struct Common {
  const float *x;
  int shift;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + shift];
      __syncthreads();
      SUM if (threadIdx.x == 0) shift = (i / T) & 1;
      // CAUSE: objects.cu:[[#@LINE-1]]:33: warning: not pipelined: the loop stores to memory that cannot be traced, which may alias memory that cannot be traced [kpipe-may-alias]
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    common_object(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Common a;
  if (threadIdx.x == 0)
    a = Common{x, 0};
  __syncthreads();
  y[threadIdx.x] = a.run(n);
}
struct Pointed {
  const float *x;
  float *own;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x] + own[FIRST];
      __syncthreads();
      SUM own[threadIdx.x] = sum;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    own_of_the_object(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  kept[threadIdx.x] = threadIdx.x;
  __syncthreads();
  Pointed a{x, kept};
  y[threadIdx.x] = a.run(n);
}
// A member goes by another name: of the caller's, and of a closure's.
struct Renamed {
  const float *x;
  int shift, *other;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + shift];
      __syncthreads();
      SUM *other = (i / T) & 1;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    renamed_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  Renamed a{x, 0, nullptr};
  a.other = &a.shift;
  y[threadIdx.x] = a.run(n);
}
struct ByClosure {
  const float *x;
  int shift;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    auto change = [this](int to) { shift = to; };
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + shift];
      __syncthreads();
      SUM change((i / T) & 1);
      sum += shift;
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    changed_by_closure(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  ByClosure a{x, 0};
  y[threadIdx.x] = a.run(n);
}

// References to one object, to one that another name reaches, to a shared one.
struct State {
  int shift, *other;
};
__device__ float run_renamed(const float *x, State &s, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.shift];
    __syncthreads();
    SUM *s.other = int(sum) & 1;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    renamed_reference(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  State s{0, nullptr};
  s.other = &s.shift;
  y[threadIdx.x] = run_renamed(x, s, n);
}
__device__ float run_twice(const float *x, const State &s, State &t, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.shift];
    __syncthreads();
    SUM t.shift = int(sum) & 1;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    one_object_twice(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  State s{0, nullptr};
  y[threadIdx.x] = run_twice(x, s, s, n);
}
__device__ float run_carried(const float *x, State &s, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x + s.shift];
    __syncthreads();
    SUM s.shift = int(sum) & 1;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    carried_by_reference(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  State s{0, nullptr};
  y[threadIdx.x] = run_carried(x, s, n);
}

// A helper's variable that is not its own: static, and the caller's.
__device__ float remembered(float v) {
  static float last;
  float r = last;
  last = v;
  return r;
}
__global__ void __launch_bounds__(T)
    own_static(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float v = x[i + threadIdx.x];
    if (threadIdx.x == 0)
      v += remembered(v);
    xs[threadIdx.x] = v;
    __syncthreads();
    SUM if (threadIdx.x == 0) remembered(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__device__ float shifted(float &last, float v) {
  float r = last;
  last = v;
  return r;
}
__global__ void __launch_bounds__(T)
    shifted_on_both_sides(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0, last = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = shifted(last, x[i + threadIdx.x]);
    __syncthreads();
    SUM sum += shifted(last, sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Legal twins.
__global__ void __launch_bounds__(T)
    set_to_global_legal(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float sum = 0;
  Setter s(x);
  s.with(x + 1);
  s.set(x + 2);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.get(FIRST);
    __syncthreads();
    SUM sum += own[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    other_object_legal(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T], own[T];
  own[threadIdx.x] = 0;
  Setter s(x), r(own);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = s.get(i + threadIdx.x);
    __syncthreads();
    SUM sum += r.get(threadIdx.x);
    own[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Legal {
  const float *x;
  int shift;
  float last;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    auto keep = [this](float v) { last += v; };
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x + shift];
      __syncthreads();
      SUM keep(sum);
      __syncthreads();
    }
    return sum + last;
  }
};
__global__ void __launch_bounds__(T)
    member_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  Legal a{x, 1, 0};
  y[threadIdx.x] = a.run(n);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(aliasing_accessor)
TILES(counting)
UPDATES(own_logged)
TILES(own_conversion)
TILES(own_constructed)
TILES(own_set)
TILES(own_with)
TILES(own_by_reference)
TILES(own_slot)
TILES(own_address)
TILES(own_in_body)
TILES(own_mutable)
TILES(own_by_base)
TILES(own_assigned)
TILES(own_inner)
TILES(own_default)
TILES(own_cast)
TILES(own_by_callee)
TILES(own_by_pointer)
TILES(own_returned)
TILES(own_by_closure)
TILES(own_of_a_temporary)
TILES(own_with_of_a_temporary)
TILES(own_of_a_union)
TILES(own_virtual)
TILES(own_iterator)
TILES(own_copy)
TILES(own_braces)
TILES(own_pointer_in_braces)
TILES(own_pointer_in_parentheses)
UPDATES(aliased_members)
TILES(carried_member)
TILES(member_of_both)
TILES(bound_changes)
TILES(common_object)
TILES(own_of_the_object)
TILES(renamed_reference)
TILES(one_object_twice)
TILES(carried_by_reference)
TILES(renamed_member)
TILES(changed_by_closure)
TILES(shifted_on_both_sides)
TILES(set_to_global_legal)
TILES(other_object_legal)
TILES(member_legal)
#endif
