// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant condition around a barrier, into whose other branch a `case` leads:
// neither branch can be dropped.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// The check of the order does not need the rule. Code into which a `case` leads
// has no graph of its own.
// RUN: env KPIPE_RULES_OFF=sync-order %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck --check-prefix=UNRULED %s
constexpr int T = 64;

// A case of a switch around the loop leads into the branch that the condition
// excludes.
__global__ void entered(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  switch (n % 3) {
  case 0:
    for (i = 0; i < n; i += T) {
      if (false) {
      case 1:
        // UNRULED: :[[#@LINE+1]]:9: warning: not pipelined: the load contains a barrier, which cannot run a tile ahead [kpipe-memory-order]
        xs[threadIdx.x] = 3;
        // CHECK: switch-into-branch.cu:[[#@LINE+1]]:9: warning: not pipelined: there is a barrier inside the load region [kpipe-sync-order]
        __syncthreads();
      }
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float((threadIdx.x ^ j) & 7);
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}
