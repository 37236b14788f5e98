// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known mistakes of loops that are staged by hand, each beside twins without it,
// of which nothing is said. The executor shows that they are mistakes.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cassert>
#include <cuda_pipeline.h>

constexpr int T = 64;

__device__ float part(const float *s) {
  float sum = 0;
  for (int j = 0; j < T; ++j)
    sum += s[j] * float(threadIdx.x ^ j);
  return sum;
}

// The last tile lies in the other buffer for every other number of tiles.
__global__ void last_stage(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < (n + T - 1) / T; k++) {
    float next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += s[1][j] * float(threadIdx.x ^ j);
  // CHECK: mistakes.cu:[[#@LINE-1]]:12: warning: the tile behind the loop is read from one buffer, whatever the number of tiles: the last one lies there for one number in 2 [kpipe-last-stage]
  // CHECK: mistakes.cu:[[#@LINE-2]]:12: note: choose the buffer by the number of tiles, as the loop does
  y[threadIdx.x] = sum;
}

__global__ void last_stage_chosen(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int k = 1;
  for (; k < (n + T - 1) / T; k++) {
    float next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  for (int j = 0; j < T; ++j)
    sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
  y[threadIdx.x] = sum;
}

// The number of tiles is even.
__global__ void last_stage_known(const float *x, float *y) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < 64; k++) {
    float next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  sum += part(s[1]);
  y[threadIdx.x] = sum;
}

// So it is here, as the author says.
__global__ void last_stage_promised(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  const int tiles = n / T;
  if (tiles % 2)
    return;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < tiles; k++) {
    float next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  sum += part(s[1]);
  y[threadIdx.x] = sum;
}

__global__ void last_stage_asserted(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  assert(n % (2 * T) == 0);
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 1; k < n / T; k++) {
    float next = x[k * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[(k - 1) & 1][j] * float(threadIdx.x ^ j);
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  sum += part(s[1]);
  y[threadIdx.x] = sum;
}

// Behind the loop both buffers hold a tile, and a sum takes them in any order.
__global__ void last_two_stages(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  s[1][threadIdx.x] = x[T + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n / T - 2; k++) {
    float next = x[(k + 2) * T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[k & 1][j] * float(threadIdx.x ^ j);
    __syncthreads();
    s[k & 1][threadIdx.x] = next;
    __syncthreads();
  }
  sum += part(s[0]) + part(s[1]);
  y[threadIdx.x] = sum;
}

// Behind the loop the buffer holds something else.
__global__ void last_stage_overwritten(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n / T; k++) {
    float next = k + 1 < n / T ? x[(k + 1) * T + threadIdx.x] : 0;
    for (int j = 0; j < T; ++j)
      sum += s[k & 1][j] * float(threadIdx.x ^ j);
    s[(k + 1) & 1][threadIdx.x] = next;
    __syncthreads();
  }
  s[1][threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = s[1][threadIdx.x ^ 1];
}

// Each turn loads the tile behind its own, the last one as well.
__global__ void past_the_end(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    float next = x[k + T + threadIdx.x];
    // CHECK: mistakes.cu:[[#@LINE-1]]:18: warning: the last turn of the loop loads a tile that nothing computes: past the end of 'x', if that ends with the last tile [kpipe-past-the-end]
    // CHECK: mistakes.cu:[[#@LINE-2]]:18: note: load only where there is a next tile
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
    s[stage][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The next tile's element is computed with: all turns need it.
__global__ void past_the_end_computed(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    float next = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * next;
    stage ^= 1;
    s[stage][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Only the other array's elements are loaded in each turn, those of this tile.
__global__ void past_the_end_other(const float *x, const float *w, float *y,
                                   int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    float next;
    if (k + T < n)
      next = x[k + T + threadIdx.x];
    sum = sum + s[stage][threadIdx.x ^ 1] * w[k + threadIdx.x];
    stage ^= 1;
    if (k + T < n)
      s[stage][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void past_the_end_guarded(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    float next;
    if (k + T < n)
      next = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
    if (k + T < n)
      s[stage][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The last tile is loaded twice.
__global__ void past_the_end_clamped(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    float next = x[min(k + T, n - T) + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
    s[stage][threadIdx.x] = next;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The last turn loads a tile of its own, and adds one element of it.
__global__ void past_the_end_read(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n - T; k += T) {
    float next = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
    s[stage][threadIdx.x] = next;
    __syncthreads();
    sum += s[stage][threadIdx.x ^ 1];
  }
  y[threadIdx.x] = sum;
}

// The copy of no bytes fills with zeros.
__global__ void past_the_end_zeros(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < n; k += T) {
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&s[stage ^ 1][threadIdx.x], &x[k + T + threadIdx.x],
                            4, k + T < n ? 0 : 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    stage ^= 1;
  }
  __pipeline_wait_prior(0);
  y[threadIdx.x] = sum;
}

// The last turns commit nothing, and one group that is left is theirs.
__global__ void missing_commit(const float *x, float *y, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &x[k * T + threadIdx.x], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < n / T; ++k) {
    __pipeline_wait_prior(1);
    // CHECK: mistakes.cu:[[#@LINE-1]]:5: warning: the last turns commit nothing, and this wait lets as many groups be on their way as in other turns, 1: the tile that is read next may be among them [kpipe-missing-commit]
    __syncthreads();
    if (k + 2 < n / T) {
      __pipeline_memcpy_async(&s[(k + 2) % 3][threadIdx.x],
                              &x[(k + 2) * T + threadIdx.x], 4);
      __pipeline_commit();
      // CHECK: mistakes.cu:[[#@LINE-1]]:7: note: commit in every turn, also where nothing is copied
    }
    for (int j = 0; j < T; ++j)
      sum += s[k % 3][j] * float(threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

__global__ void commit_always(const float *x, float *y, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &x[k * T + threadIdx.x], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < n / T; ++k) {
    __pipeline_wait_prior(1);
    __syncthreads();
    if (k + 2 < n / T)
      __pipeline_memcpy_async(&s[(k + 2) % 3][threadIdx.x],
                              &x[(k + 2) * T + threadIdx.x], 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[k % 3][j] * float(threadIdx.x ^ j);
  }
  __pipeline_wait_prior(0);
  y[threadIdx.x] = sum;
}

// Where nothing is copied any more, all is waited for.
__global__ void drained_tail(const float *x, float *y, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&s[k][threadIdx.x], &x[k * T + threadIdx.x], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < n / T; ++k) {
    if (k + 1 < n / T)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    if (k + 2 < n / T) {
      __pipeline_memcpy_async(&s[(k + 2) % 3][threadIdx.x],
                              &x[(k + 2) * T + threadIdx.x], 4);
      __pipeline_commit();
    }
    for (int j = 0; j < T; ++j)
      sum += s[k % 3][j] * float(threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

// RUN: %if executor %{ not %execute %s | FileCheck %s --check-prefix=EXEC --implicit-check-not=hazard: %}
// EXEC-DAG: hazard: {{.*}}which nothing wrote in this block [uninitialised-read] [original; last_stage;
// EXEC-DAG: hazard: {{.*}}past the end of x {{.*}} [global-bounds] [original; past_the_end;
// EXEC-DAG: hazard: {{.*}} [read-in-flight] [original; missing_commit;
// EXEC-DAG: hazard: {{.*}} [undrained-copy] [original; missing_commit;
// EXEC: FAIL:

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int), int tiles) {
  auto x = in<float>("x", tiles * T), y = out<float>("y", T);
  launch({1, T}, kernel, x, y, tiles * T);
}
CASE(last_stage) { run(last_stage, 1); }
CASE(last_stage_even) { run(last_stage, 4); }
CASE(last_stage_chosen) { run(last_stage_chosen, 1); }
CASE(last_stage_known) {
  auto x = in<float>("x", 64 * T), y = out<float>("y", T);
  launch({1, T}, last_stage_known, x, y);
}
CASE(last_stage_promised) { run(last_stage_promised, 4); }
CASE(last_stage_asserted) { run(last_stage_asserted, 4); }
CASE(last_two_stages) { run(last_two_stages, 5); }
CASE(past_the_end_read) { run(past_the_end_read, 4); }
CASE(last_stage_overwritten) { run(last_stage_overwritten, 3); }
CASE(past_the_end) { run(past_the_end, 3); }
CASE(past_the_end_guarded) { run(past_the_end_guarded, 3); }
CASE(past_the_end_clamped) { run(past_the_end_clamped, 3); }
CASE(past_the_end_zeros) { run(past_the_end_zeros, 3); }
CASE(missing_commit) { run(missing_commit, 5); }
CASE(commit_always) { run(commit_always, 5); }
CASE(drained_tail) { run(drained_tail, 5); }
#endif
