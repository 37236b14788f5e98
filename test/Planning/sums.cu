// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where unrolling the compute region leaves every sum as it is, and its
// neighbours, in which a compiler may fuse other products with other sums than
// before. Of the starred ones nvcc 13.0 does (docs/notes/contraction.md).
//
// RUN: %kpipe analyze %s --arch=sm_90 --block=64 --dump=plan 2>&1 | FileCheck %s

constexpr int T = 16;

#define LOAD                                                                   \
  xs[t / T][t % T] = x[i + t];                                                 \
  ys[t / T][t % T] = y[i + t];                                                 \
  __syncthreads()
#define TILES                                                                  \
  __shared__ float xs[T][T], ys[T][T];                                         \
  const int t = threadIdx.x

// One product a sum, through variables and arrays that hold what is loaded.
__global__ void accumulates(const float *__restrict__ x,
                            const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc[4][4] = {}, dot = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      float a[4], b[4];
      for (int r = 0; r < 4; ++r)
        a[r] = xs[k][threadIdx.x / 4 + r];
      for (int c = 0; c < 4; ++c)
        b[c] = ys[k][t % 4 * 4 + c];
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
          acc[r][c] += a[r] * b[c];
      const float d = xs[t / 4][k] - ys[0][k];
      dot += d * d;
    }
    __syncthreads();
  }
  z[t] = acc[0][0] * 2 + acc[1][1] * dot;
}
// CHECK-LABEL: plan
// CHECK: {{^}}  unrolling its short loops changes no sum

// Elements of one row count as digits do; two places, two elements.
__global__ void flat(const float *__restrict__ x, const float *__restrict__ y,
                     float *z, int n) {
  __shared__ float xs[T * T], ys[T * T];
  const int t = threadIdx.x;
  float re = 0, im = 0;
  for (int i = 0; i < n; i += T * T) {
    xs[t] = x[i + t];
    ys[t] = y[i + t];
    __syncthreads();
    for (int k = 0; k < T; k += 2)
      for (int j = 0; j < 2; ++j) {
        re += xs[k * T + 2 * j] * ys[k * T + 2 * j];
        im -= xs[k * T + 2 * j + 1] * ys[k * T + 2 * j];
      }
    __syncthreads();
  }
  z[t] = re + im;
}
// CHECK-LABEL: plan
// CHECK: {{^}}  unrolling its short loops changes no sum

// Sums without products, integers, and products that are rounded.
__global__ void without(const float *__restrict__ x,
                        const float *__restrict__ y, float *z, int n) {
  TILES;
  float sum = 0, most = 0, fused = 0, apart = 0;
  int count = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      sum += xs[t / T][k];
      most = fmaxf(most, ys[k][t % T]);
      fused = fmaf(xs[k][0], xs[k][1], fused);
      apart = __fadd_rn(apart, __fmul_rn(xs[k][0], ys[k][0]));
      count = count * 3 + (xs[k][0] < ys[0][k]) * k;
    }
    __syncthreads();
  }
  z[t] = sum + most + fused + apart + count;
}
// CHECK-LABEL: plan
// CHECK: {{^}}  unrolling its short loops changes no sum

// *Either of two products.
__global__ void two(const float *__restrict__ x, const float *__restrict__ y,
                    float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] * ys[k][0] + xs[k][1] * ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}two products

// The first turn adds to a product that stands beside it when it is unrolled.
__global__ void scaled(const float *__restrict__ x, const float *__restrict__ y,
                       float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    acc *= xs[0][0];
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] * ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *A product of the turn before.
__global__ void kept(const float *__restrict__ x, const float *__restrict__ y,
                     float *z, int n) {
  TILES;
  float acc = 0, last = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      acc += last;
      last = xs[t / T][k] * ys[k][t % T];
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// And one that is added behind the loop.
__global__ void behind(const float *__restrict__ x, const float *__restrict__ y,
                       float *z, int n) {
  TILES;
  float last = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      last = fmaxf(last, xs[t / T][k] * ys[k][t % T]);
    __syncthreads();
  }
  z[t] = last + 1;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *The same product in all turns.
__global__ void invariant(const float *__restrict__ x,
                          const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc = acc * acc + xs[t / T][0];
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][0] * ys[0][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum

// *In some turns.
__global__ void every_fourth(const float *__restrict__ x,
                             const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k / 4] * ys[0][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}another one in each turn

// In turns of both loops.
__global__ void diagonals(const float *__restrict__ x,
                          const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < 8; ++k)
      for (int j = 0; j < 8; ++j)
        acc += xs[t / T][k + j] * ys[0][k + j];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}another one in each turn

// A row that is too short for digits.
__global__ void overlap(const float *__restrict__ x,
                        const float *__restrict__ y, float *z, int n) {
  __shared__ float xs[T * T], ys[T * T];
  const int t = threadIdx.x;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    xs[t] = x[i + t];
    ys[t] = y[i + t];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int j = 0; j < 8; ++j)
        acc += xs[k * 4 + j] * ys[t];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}another one in each turn

// One value that a branch kept for several turns.
__global__ void sometimes(const float *__restrict__ x,
                          const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    float a;
    for (int k = 0; k < T; ++k) {
      if (k % 4 == 0)
        a = xs[t / T][k];
      acc += a * ys[0][t % T];
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}another one in each turn

// An index that something else moves back.
__global__ void moved(const float *__restrict__ x, const float *__restrict__ y,
                      float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    int back = T;
    for (int k = 0; k < T; ++k) {
      --back;
      acc += xs[t / T][k + back] * ys[0][t % T];
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}another one in each turn

// One product for two sums.
__global__ void alike(const float *__restrict__ x, const float *__restrict__ y,
                      float *z, int n) {
  TILES;
  float acc = 0, less = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      acc += xs[t / T][k] * ys[k][t % T];
      less -= ys[k][t % T] * xs[t / T][k];
    }
    __syncthreads();
  }
  z[t] = acc + less;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}may be the same as that of line

// *And for what is no sum.
__global__ void compared(const float *__restrict__ x,
                         const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0, most = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      most = fmaxf(most, xs[t / T][k] * ys[k][t % T]);
      acc += xs[t / T][k] * ys[k][t % T];
    }
    __syncthreads();
  }
  z[t] = acc;
  z[t + n] = most;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}may be the same as that of line

// Numbers that unrolling makes constants: 2 * x is x + x.
__global__ void weighed(const float *__restrict__ x,
                        const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] * k;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}a number that a compiler may know

__global__ void doubled(const float *__restrict__ x,
                        const float *__restrict__ y, float *z, int n) {
  TILES;
  float most = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      most = fmaxf(most, xs[t / T][k] * ys[k][t % T] * 2);
    __syncthreads();
  }
  z[t] = most;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}a number that a compiler may know

__global__ void from_product(const float *__restrict__ x,
                             const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc = xs[t / T][k] * ys[k][t % T] - acc;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}taken from a product

__global__ void in_branch(const float *__restrict__ x,
                          const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      if (xs[k][0] > 0)
        acc += xs[t / T][k] * ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}in a branch

// What is not followed.
__device__ float seen_nowhere(float, float);
__device__ float scale(float a, float b) { return a * b; }
__global__ void calls(const float *__restrict__ x, const float *__restrict__ y,
                      float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += scale(xs[t / T][k], ys[k][t % T]) * blockIdx.y;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}what 'scale' computes is not known

__global__ void mathematics(const float *__restrict__ x,
                            const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += expf(xs[t / T][k]);
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}what 'expf' computes is not known

__global__ void divides(const float *__restrict__ x,
                        const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] / ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}divides

__global__ void assembly(const float *__restrict__ x,
                         const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      float p;
      asm("mul.f32 %0, %1, %2;" : "=f"(p) : "f"(xs[t / T][k]), "f"(ys[k][0]));
      acc += p;
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}inline assembly

__global__ void by_reference(const float *__restrict__ x,
                             const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0, other = 0;
  float &alias = other;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] + other;
    alias = ys[0][t % T] * xs[0][0];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}by its address or by reference

__global__ void wider(const float *__restrict__ x, const float *__restrict__ y,
                      float *z, int n) {
  TILES;
  double acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] * ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

__global__ void negative_zero(const float *__restrict__ x,
                              const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = -0.0f;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      acc += xs[t / T][k] * ys[k][t % T];
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *The bits of a product wait in an integer.
__global__ void held_in_a_union(const float *__restrict__ x,
                                const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  int bits = 0;
  union {
    float f;
    int i;
  } u;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      acc += __int_as_float(bits);
      u.f = xs[t / T][k] * ys[k][t % T];
      bits = u.i;
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *As they do by this.
__global__ void bits_cast(const float *__restrict__ x,
                          const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  int bits = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      acc += __builtin_bit_cast(float, bits);
      bits = __builtin_bit_cast(int, xs[t / T][k] * ys[k][t % T]);
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *ptxas sees through a move.
__global__ void through_move(const float *__restrict__ x,
                             const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0, last = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      acc += last;
      asm("mov.f32 %0, %1;" : "=f"(last) : "f"(xs[t / T][k] * ys[k][t % T]));
    }
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}inline assembly

// *The sum is a float.
__global__ void to_an_integer(const float *__restrict__ x,
                              const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0, last = 0;
  int count = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k) {
      count += last;
      last = xs[t / T][k] * ys[k][t % T];
    }
    acc += count;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}converted to another type

static const float NegativeZero = -0.0f;

// *-0.0 by a name.
__global__ void named_zero(const float *__restrict__ x,
                           const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    float s = NegativeZero;
    for (int k = 0; k < T; ++k)
      s += xs[t / T][k] * ys[k][t % T];
    acc += s;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// *And by its bits.
__global__ void zero_of_bits(const float *__restrict__ x,
                             const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    float s = __int_as_float(0x80000000);
    for (int k = 0; k < T; ++k)
      s += xs[t / T][k] * ys[k][t % T];
    acc += s;
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}kept in a variable

// A branch without its first half.
__global__ void omitted_middle(const float *__restrict__ x,
                               const float *__restrict__ y, float *z, int n) {
  TILES;
  float acc = 0;
  for (int i = 0; i < n; i += T * T) {
    LOAD;
    for (int k = 0; k < T; ++k)
      (void)((n > k) ?: (acc += xs[t / T][k] * ys[k][t % T], 1));
    __syncthreads();
  }
  z[t] = acc;
}
// CHECK-LABEL: plan
// CHECK: may change a sum: {{.*}}added in a branch
