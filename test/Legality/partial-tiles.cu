// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part, and are read beyond that part, or may be:
// what such a tile leaves out must be what the tile before it left there, so it
// is no stage of a ring. The legal ones are in Kernels/partial_tiles.cu, more of
// these in partial-rows.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'
// RUN: env KPIPE_RULES_OFF=partial-tiles %kpipe-unruled rewrite --dry-run --arch=sm_80 \
// RUN:   --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=RUN_BY_NUMBERS
// RUN_BY_NUMBERS-COUNT-14: of 'xs' is read here in a tile that does not store it, and would be what a tile 2 before left there

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n, int m, unsigned u, const int *sizes)

#define END                                                                    \
  y[threadIdx.x] = sum;                                                        \
  }

// Everything is read.
KERNEL(every) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// One more than is stored.
KERNEL(beyond) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j <= n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// The element behind.
KERNEL(next) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T - 1 && t + j < n; ++j) sum += xs[j + 1];
    __syncthreads();
  }
END

// Another bound.
KERNEL(other) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < m; ++j) sum += xs[j];
    __syncthreads();
  }
END

// The condition is the opposite.
KERNEL(opposite) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) if (t + j < n) sum += 1; else sum += xs[j];
    __syncthreads();
  }
END

// One of two conditions.
KERNEL(either) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) if (t + j < n || j < m) sum += xs[j];
    __syncthreads();
  }
END

// A condition that the turn before asked.
KERNEL(before) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) { sum += xs[j]; if (t + j >= n) break; }
    __syncthreads();
  }
END

// The bound moves while the tile is read.
KERNEL(bound) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0, e = n - t; j < T && j < e; ++j, ++e) sum += xs[j];
    __syncthreads();
  }
END

// The body changes the index.
KERNEL(index) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) { if (m == j) ++j; sum += xs[j]; }
    __syncthreads();
  }
END

// A bound of each thread.
KERNEL(lane) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const int e = n - i;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < e; ++j) sum += xs[j];
    __syncthreads();
  }
END

// What was left in the first tile.
KERNEL(earlier) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const int left = min(T, n - m);
  for (int t = m; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < left; ++j) sum += xs[j];
    __syncthreads();
  }
END

// Other elements than the condition names.
KERNEL(reversed) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[T - 1 - i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// Every other element.
KERNEL(doubled) {
  __shared__ float xs[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[2 * i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// A signed index that may be negative is asked as an unsigned number.
KERNEL(negative) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = -m; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + threadIdx.x < n) xs[i] = x[t + m + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// The rest of an unsigned bound that the loop may be beyond.
KERNEL(wraps) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + threadIdx.x < u) xs[i] = x[t + i];
    __syncthreads();
    for (unsigned j = 0; j < min((unsigned)T, u - t); ++j) sum += xs[j];
    __syncthreads();
  }
END

// A bound from memory.
KERNEL(loaded) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because whether a value is stored depends on a loaded value (registers, because 'xs' is stored under a condition
    if (t + i < sizes[0]) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < sizes[0]; ++j) sum += xs[j];
    __syncthreads();
  }
END

// A pointer to the tile.
KERNEL(pointer) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    const float *p = xs; for (int j = 0; j < T && t + j < n; ++j) sum += p[j + 1];
    __syncthreads();
  }
END

// A condition that is no comparison.
KERNEL(flag) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if ((t + i) & m) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) if ((t + j) & m) sum += xs[j];
    __syncthreads();
  }
END

// Not equal is no bound.
KERNEL(equal) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i != n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) if (t + j != n) sum += xs[j];
    __syncthreads();
  }
END

// A lower bound.
KERNEL(lower) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i >= m) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) if (t + j > m - 1 - T) sum += xs[j];
    __syncthreads();
  }
END

// The second of two copies leaves out more.
KERNEL(two) {
  __shared__ float xs[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    if (t + i + T < n) xs[i + T] = x[t + i + T];
    __syncthreads();
    for (int j = 0; j < 2 * T && t + j < n + 1; ++j) sum += xs[j];
    __syncthreads();
  }
END

// A bound that a smaller type cuts.
KERNEL(narrow) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && (short)(t + j) < n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// From the end.
KERNEL(countsDown) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = T - 1; t + j < n || j >= 0; --j) { if (j < 0) break; sum += xs[j]; }
    __syncthreads();
  }
END

// The bound changes in the loop.
KERNEL(changed) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: warning: not pipelined: the body changes 'n', which the loop condition reads
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) sum += xs[j];
    if (sum > 100) --n;
    __syncthreads();
  }
END
