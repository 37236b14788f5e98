// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each misuse of the pipelines is a static_assert that says what is wrong.
//
// RUN: not %clang-bare --cuda-gpu-arch=sm_90a -fsyntax-only %s 2>&1 \
// RUN:   | FileCheck %s
#include <kpipe/pipeline_async.h>

// CHECK: error: static assertion failed{{.*}} kpipe::pipeline_storage needs 1 or more stages
__device__ void no_stage(kpipe::pipeline_storage<0> *s) { s->full[0] = 0; }

__device__ void misuse(kpipe::pipeline_storage<2> &storage) {
  // CHECK: error: static assertion failed{{.*}} nobody can be elected to commit
  kpipe::pipeline_cp_async<2, kpipe::warp_arrivals> elected(
      storage, kpipe::warps(1), kpipe::warps(1));
  // CHECK: error: static assertion failed{{.*}} kpipe::pipeline_umma_async needs sm_100a
  kpipe::pipeline_umma_async<2> umma(storage, {}, kpipe::warps(4));

  kpipe::pipeline_async<2> pipe(storage, kpipe::warps(1), kpipe::warps(1));
  kpipe::pipeline_tma_async<2> tma(storage, 1024, kpipe::warps(1));
  // CHECK: error: static assertion failed{{.*}} the state belongs to a pipeline of other stages
  pipe.producer_acquire(kpipe::producer_start<3>());
  // CHECK: error: static assertion failed{{.*}} only a pipeline that TMA fills counts bytes
  pipe.producer_acquire(0, 1, kpipe::token::again, 64);
  // CHECK: error: static assertion failed{{.*}} this kpipe producer cannot quit
  tma.producer_quit(kpipe::producer_start<2>());
}

__device__ void barriers() {
  // CHECK: error: static assertion failed{{.*}} a block has named barriers 0 to 15
  kpipe::ptx::named_barrier_sync<16, 64>();
  // CHECK: error: static assertion failed{{.*}} whole warps come to a named barrier
  kpipe::ptx::named_barrier_arrive<1, 40>();
  // CHECK: error: static assertion failed{{.*}} setmaxnreg takes 24 to 256 registers, a multiple of 8
  kpipe::ptx::decrease_registers<20>();
}
