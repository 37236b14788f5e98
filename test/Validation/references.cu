// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer is given by the name that another object has for the first one. The
// validators find each way by itself, with the rules switched off: each class
// has one. So does the analysis.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RULES --implicit-check-not=remark:
// CHECK-COUNT-9: would be lost [kpipe-memory-order]
// CHECK: remark: no loop was pipelined
// RULES-COUNT-9: which the loop writes [kpipe-carried-shared]
// RULES: remark: no loop was pipelined

constexpr int T = 64;

struct Matrix {
  int width;
  const float *at;
};
struct Getter {
  Matrix &m;
  __device__ Matrix &get() const { return m; }
};
struct Converter {
  Matrix &m;
  __device__ operator Matrix &() const { return m; }
};
struct Method {
  Matrix &m;
  __device__ void set(const float *to) const { m.at = to; }
};
struct Shift {
  Matrix &m;
  template <class P> __device__ const Shift &operator<<(P to) const {
    return m.at = to, *this;
  }
};
struct Slot {
  Matrix &m;
  __device__ const float **slot() const { return &m.at; }
};
struct Plain {
  Matrix &m;
};
struct Outer {
  const Plain &p;
};
struct Copied {
  Matrix &m;
};
struct Handed {
  Matrix &m;
};
struct InList {
  Matrix &m;
  int n;
  __device__ InList(Matrix &x, const float *to) : m(x), n((m.at = to, 1)) {}
};
__device__ void put(Matrix &m, const float *to) { m.at = to; }

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

__global__ void __launch_bounds__(T)
    returned(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Getter h{last};
  h.get().at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    converted(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Converter h{last};
  put(h, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    method(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Method{last}.set(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    template_operator(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Shift h{last};
  h << static_cast<const float *>(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    slot(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Slot h{last};
  *h.slot() = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    outer(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Plain p{last};
  Outer o{p};
  o.p.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    copied(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Copied h{last}, other = h;
  other.m = {T, carry};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    handed(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  Handed h{last};
  put(h.m, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
    in_list(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last = z;
  InList l(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM
    carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
