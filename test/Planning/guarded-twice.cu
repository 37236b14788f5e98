// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that fill with zero, in loops from a thread's own index: loads to registers
// would be branches that wait for each other where some thread may leave a turn out.
//
// RUN: %kpipe rewrite %s --arch=sm_86 --registers=estimate --copies=author -o %t.cu \
// RUN:   --report=%t.json 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=WHY %s --input-file=%t.json
// RUN: FileCheck --check-prefix=OUT %s --input-file=%t.cu

// Nobody knows how many threads a block has.
__global__ void anyBlock(const float *A, float *y, int M, int K) {
  __shared__ float As[64][16];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tid; i < 64 * 16; i += 256)
      As[i / 16][i % 16] = i / 16 < M && k0 + i % 16 < K ? A[i / 16 * K + k0 + i % 16] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += As[tid % 64][k];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: [[@LINE-10]]:3: remark: pipelined K-loop: 2 stages of As, cp.async
// WHY: loads to registers would wait for each other

// All launches have 16 x 16 threads: no thread leaves a turn out.
static __global__ void oneBlock(const float *A, float *y, int M, int K) {
  __shared__ float As[64][16];
  const int tid = threadIdx.y * 16 + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = tid; i < 64 * 16; i += 256)
      As[i / 16][i % 16] = i / 16 < M && k0 + i % 16 < K ? A[i / 16 * K + k0 + i % 16] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += As[tid % 64][k];
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: [[@LINE-10]]:3: remark: pipelined K-loop: 2 stages of As, registers
// OUT-LABEL: void oneBlock(
// OUT: #pragma unroll
// OUT-NOT: if (i <
// OUT: __syncthreads();

void run(const float *A, float *y, int n) { oneBlock<<<n, dim3(16, 16)>>>(A, y, n, n); }
