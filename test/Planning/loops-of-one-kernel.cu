// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of a kernel's loops add up: each loop is planned beside those that
// were planned before.
//
// RUN: %kpipe rewrite --arch=sm_86 %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUT < %t.cu


// Arrays of 12 KB: with two stages each they would take 72 KB.
__global__ void __launch_bounds__(256)
    three(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  __shared__ float4 a[768], b[768], c[768];
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of a
  for (int k = 0; k < n; k += 768) {
    for (int i = t; i < 768; i += 256)
      a[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 768; ++j)
      sum += a[j].x * (t ^ j);
    __syncthreads();
  }
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop: single buffer of b
  // CHECK: [[@LINE+1]]:3: note: single buffer, because two stages need 61440 bytes of static shared memory, and a block may declare 49152
  for (int k = 0; k < n; k += 768) {
    for (int i = t; i < 768; i += 256)
      b[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 768; ++j)
      sum += b[j].x * (t ^ j);
    __syncthreads();
  }
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop: single buffer of c
  for (int k = 0; k < n; k += 768) {
    for (int i = t; i < 768; i += 256)
      c[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 768; ++j)
      sum += c[j].x * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// What the launch gives counts as well.
__global__ void __launch_bounds__(1024)
    beside_dynamic(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float more[];
  const int t = threadIdx.x;
  float sum = 0;
  more[t] = t;
  __shared__ float4 e[512], f[512];
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of e
  for (int k = 0; k < n; k += 512) {
    for (int i = t; i < 512; i += 1024)
      e[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 512; ++j)
      sum += e[j].x * (t ^ j);
    __syncthreads();
  }
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop: single buffer of f
  // CHECK: [[@LINE+1]]:3: note: single buffer, because two stages need 32768 bytes beside 22528 of dynamic shared memory
  for (int k = 0; k < n; k += 512) {
    for (int i = t; i < 512; i += 1024)
      f[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 512; ++j)
      sum += f[j].x * (t ^ j);
    __syncthreads();
  }
  y[t] = sum + more[t];
}

void launch(const float4 *x, float *y, int n) {
  beside_dynamic<<<1, 1024, 22 * 1024>>>(x, y, n);
}

// OUT: float4 a_stages[2][768]
// OUT: float4 e_stages[2][512]
