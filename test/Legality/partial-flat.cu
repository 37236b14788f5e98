// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that a pointer to all elements fills in part, of which more is read, or
// may be. The legal ones are in Kernels/partial_flat.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'
// RUN: env KPIPE_RULES_OFF=partial-tiles %kpipe-unruled rewrite --dry-run --arch=sm_80 \
// RUN:   --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=RUN_BY_NUMBERS
// RUN_BY_NUMBERS-COUNT-6: is read here in a tile that does not store it, and would be what a tile 2 before left there

constexpr int R = 8, C = 6;

// One row more.
__global__ void one_more(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R - 1, n - k);
    // CHECK: [[#@LINE-2]]:3: note: single buffer, because which elements of 'tile' are stored varies
    for (int i = threadIdx.x; i < rows * C; i += 32)
      (&tile[0][0])[i] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r <= rows; ++r)
      for (int c = 0; c < C; ++c)
        sum += tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Rows that are longer than those that are counted.
__global__ void longer_rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: note: single buffer, because which elements of 'tile' are stored varies
    for (int i = threadIdx.x; i < rows * (C - 1); i += 32)
      (&tile[0][0])[i] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < C; ++c)
        sum += tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Vectors that the rows are no multiple of: the last one is left out.
__global__ void rounded(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: note: single buffer, because which elements of 'tile' are stored varies
    for (int i = threadIdx.x; i < rows * C / 4; i += 32)
      reinterpret_cast<float4 *>(tile)[i] = x[k * C / 4 + i];
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < C; ++c)
        sum += tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A vector of which the first element alone is there.
__global__ void wide_read(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float tile[R][4];
  float sum = 0;
  for (int k = 0; k < n; k += R * 4) {
    const int left = min(R * 4, n - k);
    // CHECK: [[#@LINE-2]]:3: note: single buffer, because which elements of 'tile' are stored varies
    for (int i = threadIdx.x; i < left; i += 32)
      tile[0][i] = x[k + i];
    __syncthreads();
    for (int r = 0; 4 * r < left; ++r) {
      const float4 v = reinterpret_cast<const float4 *>(tile)[r];
      sum += v.x + v.y + v.z + v.w;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer behind the first row.
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R + 1][C];
  float *to = &tile[0][C / 2];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: warning: not pipelined
    for (int i = threadIdx.x; i < rows * C; i += 32)
      to[i - C / 2] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r <= rows; ++r)
      for (int c = 0; c < C; ++c)
        sum += tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer that moves.
__global__ void moves(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R + 1][C];
  float *to = &tile[0][0];
  to += n > 40 ? C : 0;
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: warning: not pipelined
    for (int i = threadIdx.x; i < rows * C; i += 32)
      to[i] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r <= rows; ++r)
      for (int c = 0; c < C; ++c)
        sum += tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// All of the array is read through a name that is made in the turn.
__global__ void other_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: warning: not pipelined
    for (int i = threadIdx.x; i < rows * C; i += 32)
      tile[0][i] = x[k * C + i];
    __syncthreads();
    const float *all = tile[0];
    for (int e = 0; e < R * C; ++e)
      sum += all[e];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// And by a sum.
__global__ void by_sum(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    // CHECK: [[#@LINE-2]]:3: note: single buffer, because which elements of 'tile' are stored varies
    for (int i = threadIdx.x; i < rows * C; i += 32)
      (&tile[0][0])[i] = x[k * C + i];
    __syncthreads();
    for (int e = 0; e <= rows * C; ++e)
      sum += *(tile[0] + e);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
