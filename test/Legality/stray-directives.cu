// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Id directive: what looks like a directive and steers nothing is said.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:
// RUN: sed 's/$/\r/' %s > %t.crlf.cu
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %t.crlf.cu 2>&1 | grep -c 'kpipe-directive' \
// RUN:   | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}10{{$}}

constexpr int T = 64;

// Not directly above: this comment says nothing of the kernel below.
// kpipe: off

// KPIPE: off
// kpipe : off
// kpipe stages=3, variant=ldg
#pragma kpipe off
/* kpipe: off
 */
__global__ void spellings(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0; // kpipe: off
  for (int i = 0; i < n; i += T) { /* kpipe: off */
  // CHECK: stray-directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    // kpipe: off
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  /* kpipe: stages=17 */
  for (int i = 0; i < n; i += T)
    // CHECK: stray-directives.cu:[[#@LINE-2]]:13: warning: the directive 'stages=17': want auto or a number from 1 to 8 [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-23]]:1: warning: this directive is not above a loop or a function and is ignored; put it on a line of its own, directly above the loop or its kernel [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-22]]:1: warning: this looks like a directive but is ignored; write '// kpipe: ...' on a line of its own, directly above the loop or its kernel [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-22]]:1: warning: this looks like a directive but is ignored; {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-22]]:1: warning: this looks like a directive but is ignored; {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-22]]:1: warning: this looks like a directive but is ignored; {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-22]]:1: warning: this directive is not above a loop or a function {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-19]]:18: warning: this directive is not above a loop or a function {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-19]]:36: warning: this directive is not above a loop or a function {{.*}} [kpipe-directive]
    // CHECK: stray-directives.cu:[[#@LINE-18]]:5: warning: this directive is not above a loop or a function {{.*}} [kpipe-directive]
    sum += xs[i % T];
  y[threadIdx.x] = sum;
}

// Prose that begins with the name is none: this is a program.
// kpipe is a program, and pad is a word.
// kpipe::commit() is code, here as well as
#if 0
// kpipe: off
#endif
// kpipe::commit() here.
// kpipe: off
__global__ void nothing_to_pipeline(float *y) { y[threadIdx.x] = 0; }
