// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Architectures without setmaxnreg compile what moves registers, and move none.
#include <kpipe/pipeline.h>

__global__ void __launch_bounds__(256, 2) halves(int *p) {
  if (threadIdx.x >= 128) {
    kpipe::give_registers<24>();
    p[threadIdx.x] = 1;
    return;
  }
  kpipe::take_registers<232>();
  p[threadIdx.x] = 2;
}
