// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What analyze says of the banks of staged arrays, what --pad makes of them, and
// why it leaves rows alone. test/Kernels/padded_rows.cu runs what is padded.
//
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=reported --pad=never --report=%t.json 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE:        shared memory:
// TABLE-NEXT:     As: 8- to 32-way bank conflict of the reads in line [[@LINE+38]] (threads are 128 bytes apart); --pad
// TABLE-NEXT:       would give each row 1 element more, 128 bytes a stage, which leaves no conflict
// TABLE-NEXT:   arch
// TABLE-NEXT:   sm_86 {{.*}} 8192 -> 16384
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON:      "bankConflicts": [
// JSON-NEXT:   {
// JSON-NEXT:     "array": "As",
// JSON-NEXT:     "file":
// JSON-NEXT:     "line": [[@LINE+29]],
// JSON-NEXT:     "column": 14,
// JSON-NEXT:     "access": "read",
// JSON-NEXT:     "degree": 32,
// JSON-NEXT:     "leastDegree": 8,
// JSON-NEXT:     "message": "8- to 32-way bank conflict of the reads
// JSON-NEXT:     "padded": false,
// JSON-NEXT:     "padElements": 1,
// JSON-NEXT:     "padBytesPerStage": 128,
// JSON-NEXT:     "degreePadded": 1
// JSON-NEXT:   }
//
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=reported 2>&1 | FileCheck %s --check-prefix=PADDED
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=reported --pad 2>&1 | FileCheck %s --check-prefix=PADDED
// PADDED: rows of 'As' are padded by one element, 128 bytes per stage
// PADDED: two stages need 16640 bytes
// PADDED: (threads are 128 bytes apart); each row
// PADDED-NEXT: has 1 element more, 128 bytes a stage, which leaves no conflict
// PADDED: 8192 -> 16640
constexpr int T = 32;
__global__ void __launch_bounds__(1024) reported(const float *A, float *y, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x % T, ty = threadIdx.x / T;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = A[(ty + T) * K + k0 + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[tx][k] * Bs[k][tx];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Words above a loop or a kernel say the same as the option, and go before it.
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=worded --dump=plan | FileCheck %s --check-prefix=WORDED
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=worded --pad=always --dump=plan | FileCheck %s --check-prefix=WORDED
// WORDED: padded by 1 elements
// WORDED: 8 to 32-way conflict of reads of As, threads are 128 bytes apart, padding 1 elements, 128 bytes, leaves 1 of reads, 1 of writes
// WORDED-NOT: padded
// RUN: mkdir -p %t.dir && echo 'pad: auto' > %t.dir/.kpipe && cp %s %t.dir/a.cu
// RUN: %kpipe analyze %t.dir/a.cu --arch=sm_86 --kernel=reported --dump=plan | FileCheck %s --check-prefix=FOLDER
// FOLDER: padded by 1 elements
// RUN: %kpipe rewrite %t.dir/a.cu --arch=sm_86 --dump-config | FileCheck %s --check-prefix=CONFIG
// CONFIG: {{^}}pad: auto
// kpipe: pad=always
__global__ void __launch_bounds__(32) worded(const float *A, float *y, int K) {
  __shared__ float As[T][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  // kpipe: pad=never
  for (int k0 = 0; k0 < K; k0 += T) {
    __shared__ float As[T][T];
    for (int r = 0; r < T; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k];
    __syncthreads();
  }
  y[t] = sum;
}

// One word alone asks for what costs no block per SM: here it would.
// RUN: %kpipe rewrite %s --arch=sm_86 --kernel=full --stages=1 -n 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: note: rows of 'As' are not padded: one buffer (6336 bytes) would lower the blocks per SM from 14 to 13 on sm_86; --pad=always permits that
// Nothing is said of it where nobody asked.
// RUN: sed '/^.. kpipe: pad$/d' %s > %t.unasked.cu
// RUN: %kpipe rewrite %t.unasked.cu --arch=sm_86 --kernel=full --stages=1 -n 2>&1 | FileCheck %s --check-prefix=UNASKED --implicit-check-not=note:
// UNASKED: remark: pipelined
// kpipe: pad
__global__ void __launch_bounds__(32) full(const float *A, float *y, int K) {
  __shared__ float As[48][T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int r = 0; r < 48; ++r)
      As[r][t] = A[r * K + k0 + t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[t][k] * As[t + 16][k];
    __syncthreads();
  }
  y[t] = sum;
}

// RUN: not %kpipe rewrite %s --arch=sm_86 --pad=8 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: kpipe: error: --pad=8: want auto, always or never
