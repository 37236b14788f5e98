// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --copies=bulk asks in front of the loop has a value there, whether the
// loop has a turn or not, and what it computes in 64 bits is what the author
// computes in 32.
//
// RUN: %kpipe rewrite %s --arch=sm_90 --copies=bulk --stages=2 --registers=estimate \
// RUN:   --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t.cu

constexpr int T = 64, R = 2, C = 256;

// A constant divides.
// CHECK: const bool aligned = {{.*}}(ld / 2) % 4 == 0
// SAID: note: the copy engine brings the rows of As
__global__ void __launch_bounds__(T) halves(const float *A, float *y, int n, int ld) {
  __shared__ float As[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += C) {
    for (int i = threadIdx.x; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * (ld / 2) + k + i % C];
    __syncthreads();
    for (int i = threadIdx.x; i < R * C; i += T) sum += As[i / C][i % C];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_halves(const float *A, float *y, int n, int ld) { halves<<<1, T>>>(A, y, n, ld); }

// A loop without a turn does not divide by zero.
// SAID: note: the copy engine does not bring the tile: of As,
__global__ void __launch_bounds__(T) divides(const float *A, float *y, int n, int ld, int by) {
  __shared__ float As[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += C) {
    for (int i = threadIdx.x; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * (ld / by) + k + i % C];
    __syncthreads();
    for (int i = threadIdx.x; i < R * C; i += T) sum += As[i / C][i % C];
    __syncthreads();
  }
  y[threadIdx.x] = by == 0 ? -1.0f : sum;
}
void run_divides(const float *A, float *y, int n, int ld, int by) {
  divides<<<1, T>>>(A, y, n, ld, by);
}

// The sum of two numbers wraps, which each of them does not.
// CHECK: load_row(As[0], &A[(unsigned)(
// SAID: note: the copy engine brings the rows of As
__global__ void __launch_bounds__(T) wraps(const unsigned char *A, float *y, unsigned n) {
  __shared__ unsigned char As[2 * C];
  float sum = 0;
  for (unsigned z = 0, t = 0, s = 0; z < n; ++z, t += 1u << 30, s += 1u << 30) {
    for (unsigned i = threadIdx.x; i < 2 * C; i += T)
      As[i] = A[t + s + i];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2 * C; i += T) sum += As[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_wraps(const unsigned char *A, float *y, unsigned n) { wraps<<<1, T>>>(A, y, n); }
