// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that rows of threads store in part, or that tests in other numbers than
// the tile's leave out, of which more is read, or may be. The legal ones are in
// Kernels/partial_threads.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'
// RUN: env KPIPE_RULES_OFF=partial-tiles %kpipe-unruled rewrite --dry-run --arch=sm_80 \
// RUN:   --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=RUN_BY_NUMBERS
// RUN_BY_NUMBERS-COUNT-3: is read here in a tile that does not store it, and would be what a tile 2 before left there

constexpr int T = 32, CL = 8;

// Nobody knows how long a row of threads is.
__global__ void any_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (int k = 0; k < n; k += CL) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (k + (int)threadIdx.y < n)
      s[threadIdx.y * CL + threadIdx.x] = x[(k + threadIdx.y) * CL + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < CL && k + r < n; ++r)
      for (int c = 0; c < CL; ++c)
        sum += s[r * CL + c];
    __syncthreads();
  }
  y[threadIdx.y * CL + threadIdx.x] = sum;
}

// It is longer than the row of the array.
static __global__ void wide_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (int k = 0; k < n; k += CL) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (k + (int)threadIdx.y < n)
      s[threadIdx.y * CL + threadIdx.x] = x[(k + threadIdx.y) * CL + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < CL && k + r < n; ++r)
      for (int c = 0; c < CL; ++c)
        sum += s[r * CL + c];
    __syncthreads();
  }
  y[threadIdx.y * CL + threadIdx.x] = sum;
}

// A row more than there is.
static __global__ void one_more(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[(CL + 1) * CL];
  float sum = 0;
  for (int k = 0; k < n; k += CL) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    const int row = k + threadIdx.y;
    if (row < n)
      s[threadIdx.y * CL + threadIdx.x] = x[row * CL + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < CL && k + r <= n; ++r)
      for (int c = 0; c < CL; ++c)
        sum += s[r * CL + c];
    __syncthreads();
  }
  y[threadIdx.y * CL + threadIdx.x] = sum;
}

void launch(const float *x, float *y, int n) {
  wide_block<<<1, dim3(16, 8)>>>(x, y, n);
  one_more<<<1, dim3(8, 8)>>>(x, y, n);
}

// The loop comes again: what is below zero was stored in the run before.
__global__ void comes_again(const float *__restrict__ x, float *__restrict__ y, int n, int runs,
                            const int *__restrict__ begins) {
  __shared__ float s[T];
  float sum = 0;
  for (int run = 0; run < runs; ++run)
    for (int i0 = begins[run]; i0 < n; i0 += T) {
      // CHECK: [[#@LINE-1]]:5: note: single buffer, because
      if (i0 + threadIdx.x < n)
        s[threadIdx.x] = x[i0 + threadIdx.x];
      __syncthreads();
      for (int r = 0; r < T && i0 + r < n; ++r)
        sum += s[r];
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}

// Downwards: what is below zero comes last.
__global__ void downwards(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i0 = n - T; i0 > -T; i0 -= T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (i0 + threadIdx.x < n)
      s[threadIdx.x] = x[i0 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < T && i0 + r < n; ++r)
      sum += s[r];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An unsigned bound is larger than an int.
__global__ void large_bound(const float *__restrict__ x, float *__restrict__ y, unsigned n,
                            int begin, long long end) {
  __shared__ float s[T];
  float sum = 0;
  for (int i0 = begin; i0 < end; i0 += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (i0 + threadIdx.x < n)
      s[threadIdx.x] = x[i0 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < T && (long long)i0 + r < n; ++r)
      sum += s[r];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is left may be less than nothing, and is a large number then.
__global__ void below_zero(const float *__restrict__ x, float *__restrict__ y, unsigned n,
                           unsigned m) {
  __shared__ float s[T];
  float sum = 0;
  for (unsigned k = 0; k < m; k += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    const unsigned long long at = (unsigned long long)k + threadIdx.x;
    if (at < n)
      s[threadIdx.x] = x[at];
    __syncthreads();
    const unsigned left = n - k < T ? n - k : T;
    for (unsigned j = 0; j < left; ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// So is the block's last row of an array in a row of bytes.
__global__ void last_of_all(const float *__restrict__ x, float *__restrict__ y, size_t n) {
  __shared__ float s[T];
  float sum = 0;
  for (size_t k = 0; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (k + threadIdx.x < n)
      s[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    const int left = n - k < T ? n - k : T;
    for (int j = 0; j <= left && j < T; ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Steps that are added as unsigned numbers may make an int less again, which
// overflows nothing: what was below no bound is then below each.
static __global__ void wraps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[CL * CL];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  int q = 0;
  for (int k = blockIdx.x * CL; k < n && q < 9; k += 0x40000000u, ++q) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (k + threadIdx.y < n)
      s[ty * CL + tx] = x[(q * CL + ty) * CL + tx];
    __syncthreads();
    for (int r = 0; r < CL && k + r < n; ++r)
      for (int c = 0; c < CL; ++c)
        sum += s[r * CL + c];
    __syncthreads();
  }
  y[ty * CL + tx] = sum;
}
static __global__ void wraps_from_zero(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[CL * CL];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  int q = 0;
  for (int k = 0; k < n && q < 9; k += 0x40000000ll, ++q) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because
    if (k + threadIdx.y < n)
      s[ty * CL + tx] = x[(q * CL + ty) * CL + tx];
    __syncthreads();
    for (int r = 0; r < CL && k + r < n; ++r)
      for (int c = 0; c < CL; ++c)
        sum += s[r * CL + c];
    __syncthreads();
  }
  y[ty * CL + tx] = sum;
}
void wrapping(const float *x, float *y, int n) {
  wraps<<<2, dim3(CL, CL)>>>(x, y, n);
  wraps_from_zero<<<2, dim3(CL, CL)>>>(x, y, n);
}
