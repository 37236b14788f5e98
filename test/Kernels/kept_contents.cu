// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in memory that is used before the loop as well, or in which an outer loop
// goes on: what the memory holds is copied to all stages before the loop, and the
// last tile to the first stage behind it.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format && cp %s %t/a.cu && cd %t
// RUN: %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async --allow-occupancy-drop 2>err | %code | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err --implicit-check-not="single buffer"
// SAID-COUNT-6: remark: pipelined K-loop: 2 stages of
//
// RUN: %kpipe analyze a.cu --arch=sm_86 --kernel=between 2>&1 | tr -s ' \n' ' ' | FileCheck %s --check-prefix=SAYS
// SAYS: 'xs' is used outside the loop too: what it holds is copied to all stages before the loop, and the last tile to the first stage after it

#include <cuda_runtime.h>

constexpr int T = 16;

// C comes and goes through the memory of the tiles, tile of C by tile of C.
__global__ void __launch_bounds__(T *T)
scaled(const float *__restrict__ A, const float *__restrict__ B, const float *__restrict__ C,
       float *__restrict__ D, int blocks, int K) {
  extern __shared__ __align__(16) float tiles[][T][T + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  float *stream = &tiles[0][0][0] + ty * (T + 1);
  // CHECK-LABEL: scaled(
  // CHECK: for (int b = blockIdx.x;
  for (int b = blockIdx.x; b < blocks; b += gridDim.x) {
    stream[tx] = C[(b * T + ty) * T + tx];
    __syncthreads();
    float sum = 2.0f * tiles[0][tx][ty];
    __syncthreads();
    // CHECK: int s{{tage[_0-9]*}} = 0;
    // CHECK-NEXT: // tiles is used outside the loop too: all stages begin with what it holds.
    // CHECK-NEXT: __syncthreads();
    // CHECK-NEXT: kpipe::to_all_stages<2>(tiles, stage_{{bytes}});
    // CHECK-NEXT: __syncthreads();
    // CHECK-NEXT: {
    for (int k = 0; k < K; k += T) {
      tiles[0][ty][tx] = A[(b * T + ty) * K + k + tx];
      tiles[1][ty][tx] = B[(k + ty) * T + tx];
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += tiles[0][ty][i] * tiles[1][i][tx];
      __syncthreads();
    }
    // CHECK: {{^}}    kpipe::to_first_stage(tiles, s{{tage[_0-9]*}} * stage_{{bytes}}, stage_{{bytes}});
    // CHECK-NEXT: __syncthreads();
    // CHECK-NEXT: tiles[0][tx][ty] = sum;
    tiles[0][tx][ty] = sum;
    __syncthreads();
    D[(b * T + ty) * T + tx] = stream[tx];
    __syncthreads();
  }
}

// The ends of a row are no part of a tile, and each tile is read with them.
__global__ void between(const float *__restrict__ x, float *__restrict__ y, int n) {
  // CHECK-LABEL: between(
  // CHECK: __shared__ __align__(16) float xs_s{{tages}}[2][36];
  // CHECK-NEXT: auto &xs = xs_s{{tages}}[0];
  __shared__ float xs[36];
  int t = threadIdx.x;
  xs[t + 2] = 1.0f;
  if (t < 2) {
    xs[t] = 0.5f;
    xs[34 + t] = x[t] - 0.25f;
  }
  float sum = 0.0f;
  // CHECK: kpipe::to_all_stages<2>(xs_s{{tages}}, sizeof(xs_s{{tages}}[0]));
  for (int k = 0; k < n; k += 32) {
    __syncthreads();
    xs[t + 2] = x[k + t];
    __syncthreads();
    for (int i = 0; i < 36; ++i)
      sum += xs[i] * float(i - t);
  }
  // CHECK: kpipe::to_first_stage(xs_s{{tages}}, s{{tage[_0-9]*}} * sizeof(xs_s{{tages}}[0]), sizeof(xs_s{{tages}}[0]));
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: __syncthreads();
  // CHECK-NEXT: y[t] = sum + xs[35 - t];
  __syncthreads();
  y[t] = sum + xs[35 - t];
}

// What a tile leaves out stays from one run of the loop to the next.
__global__ void remembers(const float *__restrict__ x, float *__restrict__ y, int runs, int n) {
  __shared__ __align__(16) float xs[2][64];
  int t = threadIdx.x;
  xs[0][t] = 1.0f, xs[1][t] = 2.0f;
  float sum = 0.0f;
  for (int r = 0; r < runs; ++r) {
    __syncthreads();
    for (int k = 0; k < n; k += 64) {
      xs[r & 1][t] = x[k + t];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum += xs[0][i] * xs[1][(i + t) % 64];
      __syncthreads();
    }
    sum -= xs[r & 1][63 - t];
  }
  y[t] = sum;
}

// Views of a block that is scratch in front of the loop.
__global__ void __launch_bounds__(64)
views(const int *__restrict__ x, int *__restrict__ y, int n) {
  extern __shared__ __align__(16) unsigned char bytes[];
  int *as = reinterpret_cast<int *>(bytes), *bs = as + 64;
  int t = threadIdx.x;
  bs[t] = x[t];
  __syncthreads();
  int sum = bs[63 - t];
  __syncthreads();
  for (int k = 0; k < n; k += 64) {
    as[t] = x[k + t];
    bs[t] = x[k + 63 - t];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += as[i] * bs[(i + t) % 64];
    __syncthreads();
  }
  as[t] = sum;
  __syncthreads();
  y[t] = as[63 - t] + bs[t];
}

// A macro of a part of it, a branch that all threads take alike, and threads that
// leave after it.
struct Row {
  float at[64];
};
#define LAST xs.at[63]
__global__ void through_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Row xs;
  __shared__ bool several;
  int t = threadIdx.x;
  if (t == 0)
    LAST = 3.0f, several = n > 64;
  __syncthreads();
  float sum = LAST;
  __syncthreads();
  if (several) {
    for (int k = 0; k < n; k += 64) {
      xs.at[t] = x[k + t];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum += xs.at[i] * float(i - t);
      __syncthreads();
    }
    sum += LAST;
  }
  if (t == 7)
    return;
  y[t] = sum;
}

// The upper half is changed behind the loop, which an outer one enters again.
__global__ void in_turn(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float xs[64];
  int t = threadIdx.x;
  xs[t] = 2.0f;
  float sum = 0.0f;
  for (int r = 0; r < 2; ++r, xs[t] *= 0.5f) {
    __syncthreads();
    for (int k = 0; k < n; k += 32) {
      if (t < 32)
        xs[t] = x[k + t];
      __syncthreads();
      for (int i = 0; i < 64; ++i)
        sum += xs[i] * float(i - t);
      __syncthreads();
    }
    xs[t] += float(r);
    __syncthreads();
    sum -= xs[63 - t];
    __syncthreads();
  }
  y[t] = sum;
}

#define CHECK_LAUNCH(launch)                                                   \
  do {                                                                         \
    launch;                                                                    \
  } while (0)

void run_scaled(const float *A, const float *B, const float *C, float *D, int blocks, int K) {
  // CHECK-LABEL: run_scaled(
  // CHECK: (scaled<<<2, dim3(T, T), kpipe::staged_{{bytes}}<2>(2 * T * (T + 1) * sizeof(float))>>>(A,
  CHECK_LAUNCH((scaled<<<2, dim3(T, T), 2 * T * (T + 1) * sizeof(float)>>>(A, B, C, D, blocks, K)));
}
// What a macro is given is one text, however often the macro uses it.
#define TWICE(launch)                                                          \
  launch;                                                                      \
  launch
void run_views(const int *x, int *y, int n) {
  // CHECK: TWICE((views<<<1, 64, kpipe::staged_{{bytes}}<2>(512)>>>(x, y, n)));
  TWICE((views<<<1, 64, 512>>>(x, y, n)));
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(scaled) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", 5 * T * k), b = in<float>("B", k * T), c = in<float>("C", 5 * T * T);
    auto d = out<float>("D", 5 * T * T);
    run_scaled(a, b, c, d, 5, k);
  }
}
CASE(between) {
  for (int n : multiples(32)) {
    auto x = in<float>("x", n + 2), y = out<float>("y", 32);
    launch({1, 32}, between, x, y, n);
  }
}
CASE(remembers) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, remembers, x, y, 3, n);
  }
}
CASE(views) {
  for (int n : multiples(64)) {
    auto x = in<int>("x", n + 64), y = out<int>("y", 64);
    run_views(x, y, n);
  }
}
CASE(through_macro) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, through_macro, x, y, n);
  }
}
CASE(in_turn) {
  for (int n : multiples(32)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, in_turn, x, y, n);
  }
}
#endif
