// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --producer=warpgroup: each kernel is the first one with one thing because of
// which no warpgroup can give its registers to the others; and the architectures,
// schedules and permissions that it needs.
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --producer=warpgroup --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --producer=warpgroup --registers=estimate %s 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %kpipe rewrite --dry-run --arch=sm_90 --producer=warpgroup --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: %kpipe rewrite --dry-run --arch=sm_120a --producer=warpgroup --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --producer=warpgroup --schedule=guarded --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=GUARDED
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --producer=warpgroup --min-blocks=2 --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=MINIMUM
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --producer=warpgroup --launches=elsewhere --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

#include <cstdint>

__device__ inline uint32_t smem(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ inline void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes)
               : "memory");
}
__device__ inline void wait(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred p;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(
                   smem(bar)),
               "r"(parity)
               : "memory");
}
__device__ inline void load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(smem(dst)),
               "l"(src), "r"(bytes), "r"(smem(bar))
               : "memory");
}

// What can be done.
__global__ void legal(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+7]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  // BLOCKS: [[#@LINE+6]]:3: warning: not pipelined: no producer warpgroup: the kernel's bounds let ptxas take the registers of an SM for 1 of its blocks, 168 a thread, and 1 would fit where {{[0-9]+}} did [kpipe-async-shape]
  // SUFFIX: [[#@LINE+5]]:3: warning: not pipelined: no producer warpgroup: warps cannot give each other registers in code for sm_90; setmaxnreg needs sm_90a [kpipe-async-shape]
  // LATER: [[#@LINE+4]]:3: remark: pipelined K-loop: 4 stages of xs, copy engine [kpipe-pipelined]
  // GUARDED: [[#@LINE+3]]:3: warning: not pipelined: no producer warpgroup: --schedule=guarded is asked for as well, in which nobody but the author's threads loads [kpipe-async-shape]
  // MINIMUM: [[#@LINE+2]]:3: warning: not pipelined: no producer warpgroup: a minimum of blocks per SM is asked for as well [kpipe-async-shape]
  // ELSEWHERE: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: launches in other files would have to ask for a warp more [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_legal(const float *x, float *y, int n) { legal<<<1, 256>>>(x, y, n); }

// A block that is no larger than its share of registers.
__global__ void small(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: in blocks of 256 threads each may have all the registers that a thread can have [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_small(const float *x, float *y, int n) { small<<<1, 128>>>(x, y, n); }

// Registers that the author moves.
__global__ void moves(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  asm volatile("setmaxnreg.dec.sync.aligned.u32 64;" ::: "memory");
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the kernel's 'setmaxnreg' counts with the block's warps as they are [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_moves(const float *x, float *y, int n) { moves<<<1, 256>>>(x, y, n); }

// Bounds without a minimum of blocks.
__global__ void __launch_bounds__(256, 0) none(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the kernel's bounds do not tell how many blocks are to fit on an SM [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_none(const float *x, float *y, int n) { none<<<1, 256>>>(x, y, n); }

// Bounds that its launch exceeds.
__global__ void __launch_bounds__(128, 2) exceeded(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the kernel's bounds do not allow the 256 threads of its launches [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_exceeded(const float *x, float *y, int n) { exceeded<<<1, 256>>>(x, y, n); }

// A minimum of a template's argument.
template <int Blocks>
__global__ void __launch_bounds__(256, Blocks) depends(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the minimum depends on template arguments [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_depends(const float *x, float *y, int n) { depends<2><<<1, 256>>>(x, y, n); }

// Whole warps, but no whole warpgroups.
__global__ void half_group(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: blocks of 192 threads are no whole warpgroups of 128 [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_half_group(const float *x, float *y, int n) { half_group<<<1, 192>>>(x, y, n); }

// The largest block.
__global__ void full(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: blocks of 1024 threads have no room for a warpgroup more, as a block has at most 1024 [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_full(const float *x, float *y, int n) { full<<<1, 1024>>>(x, y, n); }

// More blocks than the threads of an SM.
__global__ void __launch_bounds__(128, 16) many_blocks(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the kernel's bounds ask for 16 blocks of 256 threads on an SM, for which sm_90 has no registers [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_many_blocks(const float *x, float *y, int n) { many_blocks<<<1, 128>>>(x, y, n); }

// A limit of its own.
__global__ void __maxnreg__(64) limited(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: the kernel has __maxnreg__ [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_limited(const float *x, float *y, int n) { limited<<<1, 128>>>(x, y, n); }

// No launch.
__global__ void not_launched(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[128];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warpgroup: this file does not launch the kernel [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      expect(&bar, 512);
      load(xs, x + i * 128, 512, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x % 128];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}


// Threads copy.
__global__ void plain(const float *x, float *y, int n) {
  __shared__ float xs[128];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: a producer warp is made for tiles that the copy engine brings, and threads copy this one [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = x[i * 128 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_plain(const float *x, float *y, int n) { plain<<<1, 128>>>(x, y, n); }
