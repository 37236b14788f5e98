// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look like the textbook's and are not quite. Whatever the tool
// decides about each, what comes out must compute the same.
// REQUIRES: executor
// RUN: %variants --at-least=12 %s

constexpr int T = 64;

// Lanes beyond the end are overwritten after the copy: an asynchronous copy
// could land after the zero.
__global__ void __launch_bounds__(T)
zero_after_copy(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[min(i + int(threadIdx.x), n - 1)];
    if (i + threadIdx.x >= n)
      xs[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop's variable has the name of a parameter and shadows it; the bound is
// unsigned and small.
__global__ void __launch_bounds__(T)
shadowed(const float *x, float *y, unsigned n, int i) {
  __shared__ float xs[T];
  float sum = float(i);
  {
    for (unsigned i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float(i % 7 + j);
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum + float(i);
}

// An exact end, and one that n - T makes negative for n < T.
__global__ void __launch_bounds__(T)
exact_ends(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i != n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  for (int i = 0; i <= n - T; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum -= xs[j] * 0.5f;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An unsigned counter that runs down to zero and a condition with an effect.
__global__ void __launch_bounds__(T)
unsigned_down(const float *x, float *y, unsigned tiles) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (unsigned t = tiles; t-- > 0;) {
    xs[threadIdx.x] = x[t * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// break and continue that belong to loops inside the compute region.
__global__ void __launch_bounds__(T)
inner_jumps(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (xs[j] < 0.0f)
        continue;
      sum += xs[j];
      if (sum > 1000.0f)
        break;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Jumps of copy loops decide which elements are stored: each third row, those
// below a row that is the thread's own, and everything in each second tile.
__global__ void __launch_bounds__(T)
jumps_over_copies(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  __shared__ float zs[T];
  float sum = 0.0f;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.5f;
  zs[threadIdx.x] = 0.25f;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j < 4; ++j) {
      if ((j + threadIdx.x) % 3 == 0)
        continue;
      xs[j * T + threadIdx.x] = 2 * x[i + threadIdx.x] + j;
    }
    for (int j = 0; j < 2; ++j) {
      if (i % (2 * T) != 0)
        break;
      zs[threadIdx.x] = 3 * x[i + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j) + xs[3 * T + j] + zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
stops_at_its_row(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j < 4; ++j) {
      if (j > threadIdx.x % 4)
        break;
      xs[j * T + threadIdx.x] = x[i + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j) + xs[threadIdx.x % 4 * T + j / 4 * 4 + 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A loop that a jump ends tells where elements go; and in a copy loop a switch
// and a loop with jumps of their own tell what they are.
__global__ void __launch_bounds__(T)
place_by_jump(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  __shared__ float zs[2 * T];
  float sum = 0.0f;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.5f;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    int last = 0;
    for (int j = 0; j < 4; ++j) {
      if (j * T > i)
        break;
      if (j == 2)
        continue;
      last = j;
    }
    xs[last * T + threadIdx.x] = 2 * x[i + threadIdx.x];
    for (int j = 0; j < 2; ++j) {
      int weight = 1;
      switch (threadIdx.x % 3) {
      case 0:
        weight = 3;
        break;
      case 1:
        weight = 5;
      }
      for (int k = 0; k < 4; ++k) {
        if (k > j)
          break;
        weight += k;
      }
      zs[j * T + threadIdx.x] = weight * x[i + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j] + xs[T + j] + xs[3 * T + j]) * float(threadIdx.x ^ j) +
             zs[j] - zs[T + j] * j;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two load and compute phases in one body, on one array.
__global__ void __launch_bounds__(T)
two_phases(const float *x, const float *z, float *y, int n) {
  __shared__ float s[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * float(threadIdx.x ^ j);
    __syncthreads();
    s[threadIdx.x] = z[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum -= s[j] * 0.25f;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is loaded is found through shared memory that another loop filled.
__global__ void __launch_bounds__(T)
indirect(const float *x, const int *table, float *y, int tiles) {
  __shared__ int order[16];
  __shared__ float xs[T];
  if (threadIdx.x < tiles)
    order[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    xs[threadIdx.x] = x[order[t] * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The compute region changes the loop's variable, and the step is a variable.
__global__ void __launch_bounds__(T)
moved_variable(const float *x, float *y, int n, int step) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += step) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (threadIdx.x < 2 * T && step < T)
      i += T - step;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The whole loop is under a condition that is the same for the block, and stands
// where a statement needs no braces.
__global__ void __launch_bounds__(T)
under_condition(const float *x, float *y, int n, int mode) {
  __shared__ float xs[T];
  float sum = 0.0f;
  if (mode == 1)
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float(j);
      __syncthreads();
    }
  else
    sum = 1.0f;
  y[threadIdx.x] = sum;
}

// Names that a tool would like to introduce are taken.
__global__ void __launch_bounds__(T)
taken_names(const float *x, float *y, int n, float stage) {
  __shared__ float xs[T];
  float sum = 0.0f, xs_reg = stage, load_tile = 1.0f, compute_tile = 2.0f;
  float fetch_tile = 3.0f, store_tile = 4.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (stage + load_tile * j - compute_tile);
    sum += xs_reg * fetch_tile - store_tile;
    __syncthreads();
  }
  y[threadIdx.x] = sum + stage;
}

// Local declarations that the load and the compute share, one of them a lambda,
// and a label of the author's own before the loop.
__global__ void __launch_bounds__(T)
shared_locals(const float *x, const float *w, float *y, int n) {
  __shared__ float xs[T];
  auto weight = [&](int t) { return w[t]; };
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    const int tile = i / T;
    const float scale = weight(tile);
    const float *source = x + tile * T;
    xs[threadIdx.x] = source[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += scale * xs[j] * float(tile + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The tile is filled by copy loops whose last round is partial.
__global__ void __launch_bounds__(48)
ragged_copy(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 48)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The last index is copied too, by one thread that goes round once more.
__global__ void __launch_bounds__(T)
bound_included(const float *x, float *y, int n) {
  __shared__ float xs[T + 1];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j <= T; j += T)
      xs[j] = x[min(i + j, n - 1)];
    __syncthreads();
    for (int j = 0; j <= T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Each thread copies Last + 1 elements, which its registers must be counted as.
constexpr int Last = 2;
__global__ void __launch_bounds__(T)
last_included(const float *x, float *y, int n) {
  __shared__ float xs[(Last + 1) * T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j <= Last; ++j)
      xs[j * T + threadIdx.x] = x[min(i + j + int(threadIdx.x), n - 1)];
    __syncthreads();
    for (int j = 0; j < (Last + 1) * T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The array has a name that another array of the block begins with, and is
// mentioned in sizeof, in a comment xs[0] and in a string.
__global__ void __launch_bounds__(T)
mentions(const float *x, float *y, int n) {
  __shared__ float xs[T], xs2[T];
  xs2[threadIdx.x] = 1.0f;
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x]; // fills xs[threadIdx.x]
    __syncthreads();
    for (int j = 0; j < int(sizeof(xs) / sizeof(xs[0])); ++j)
      sum += xs[j] * xs2[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int), harness::Sizes ns,
                int threads = T) {
  for (int n : ns) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, unsigned(threads)}, kernel, x, y, n);
  }
}
CASE(zero_after_copy) { run(zero_after_copy, sizes(T)); }
CASE(shadowed) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, shadowed, x, y, n, 3);
  }
}
CASE(exact_ends) { run(exact_ends, multiples(T)); }
CASE(unsigned_down) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, unsigned_down, x, y, n / T);
  }
}
CASE(inner_jumps) { run(inner_jumps, multiples(T)); }
CASE(jumps_over_copies) { run(jumps_over_copies, multiples(T)); }
CASE(place_by_jump) { run(place_by_jump, multiples(T)); }
CASE(stops_at_its_row) { run(stops_at_its_row, multiples(T)); }
CASE(two_phases) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), z = in<float>("z", n), y = out<float>("y", T);
    launch({1, T}, two_phases, x, z, y, n);
  }
}
CASE(indirect) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    int tiles = n / T;
    auto t = in<int>("table", tiles,
                     [=](size_t i) { return tiles - 1 - int(i); });
    launch({1, T}, indirect, x, t, y, tiles);
  }
}
CASE(moved_variable) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, moved_variable, x, y, n, T);
    launch({1, T}, moved_variable, x, y, n, T / 2);
  }
}
CASE(under_condition) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T), z = out<float>("z", T);
    launch({1, T}, under_condition, x, y, n, 1);
    launch({1, T}, under_condition, x, z, n, 0);
  }
}
CASE(taken_names) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, taken_names, x, y, n, 2.0f);
  }
}
CASE(shared_locals) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", n / T);
    auto y = out<float>("y", T);
    launch({1, T}, shared_locals, x, w, y, n);
  }
}
CASE(ragged_copy) { run(ragged_copy, multiples(T), 48); }
CASE(bound_included) { run(bound_included, multiples(T)); }
CASE(last_included) { run(last_included, multiples(T)); }
CASE(mentions) { run(mentions, multiples(T)); }
#endif
