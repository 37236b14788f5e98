// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of member functions as later standards have them: an object that is a
// parameter, a call operator without one, and operators that are written
// another way than they are called.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=cp-async %s -- -std=c++23 2> %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not="{{(remark|warning): }}"
// RUN: %kpipe rewrite --arch=sm_86 --variant=cp-async %s -o %t.cu -- -std=c++23
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT

constexpr int T = 64;

// The tile is the second parameter of one, and the first argument of the other.
struct Explicit_legal {
  float scale;
  __device__ float run(this const Explicit_legal &self, float *xs,
                       const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    // CHECK: [[#@LINE+1]]:5: remark: pipelined K-loop: 2 stages of xs, cp.async
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    return s * self.scale;
  }
  __device__ float operator()(this Explicit_legal self, float *xs, float *zs,
                              const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    // CHECK: [[#@LINE+1]]:5: remark: pipelined K-loop: 2 stages of xs, zs,
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      zs[2 * t] = x[i + T - 1 - t];
      zs[2 * t + 1] = 2 * x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * zs[j + t] * self.scale;
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    explicit_object(const float *__restrict__ x, float *__restrict__ y, int n) {
  // OUT: __shared__ float a_{{stages}}[2][T], b_{{stages}}[2][T], c_{{stages}}[2][2 * T];
  // OUT: sizeof(b) == 256, "operator()() keeps
  // OUT: sizeof(c) == 512, "operator()() keeps
  __shared__ float a[T], b[T], c[2 * T];
  Explicit_legal e{0.5f};
  y[threadIdx.x] = e.run(a, x, n) - e(b, c, x, n);
}

struct Static_legal {
  static __device__ float operator()(float (&xs)[T], float (&zs)[2 * T],
                                     const float *x, int n) {
    int t = threadIdx.x;
    float s = 0;
    // CHECK: [[#@LINE+1]]:5: remark: pipelined K-loop: 2 stages of xs, zs,
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      zs[2 * t] = x[i + T - 1 - t];
      zs[2 * t + 1] = 2 * x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * zs[j + t];
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    static_operator(const float *__restrict__ x, float *__restrict__ y, int n) {
  // OUT: __shared__ float a_{{stages}}[2][T], b_{{stages}}[2][2 * T];
  __shared__ float a[T], b[2 * T];
  Static_legal s;
  y[threadIdx.x] = s(a, b, x, n);
}

// The object has the tile too.
struct Holds {
  float *mine;
  __device__ float operator()(this const Holds &self, float *xs, const float *x,
                              int n) {
    int t = threadIdx.x;
    float s = 0;
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: {{.*}} 'a', which line [[#@LINE+15]] gives it, is used
    for (int i = 0; i < n; i += T) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += self.mine[j ^ t] * (t - j);
      __syncthreads();
    }
    return s;
  }
};
__global__ void __launch_bounds__(T)
    holds_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  Holds h{a};
  y[threadIdx.x] = h(a, x, n);
}

// `a != b` calls `a == b`, where the object's memory is a shared array.
struct Same {
  const float *src;
  int n;
  float *to;
  __device__ bool operator==(int more) const {
    __shared__ float xs[T];
    int t = threadIdx.x;
    float s = 0;
    // CHECK: :21: warning: not pipelined: the loop condition reads shared memory
    // CHECK: warning: not pipelined: the load region reads memory that cannot be traced
    for (int i = 0; i < n; i += T) {
      xs[t] = src[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[j ^ t] * (t - j);
      __syncthreads();
    }
    to[t] += s;
    return more == n;
  }
};
__global__ void __launch_bounds__(T)
    written_otherwise(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float table[T];
  table[threadIdx.x] = x[threadIdx.x] + 1;
  __syncthreads();
  y[threadIdx.x] = 0;
  Same global{x, n, y}, shared{table, n ? T : 0, y};
  bool first = global == 3, second = shared != 4;
  y[threadIdx.x] += first - 2 * second;
}
