// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros that say names which a pipeline would like to introduce.
#pragma once
__device__ const int stage = 100;
#define SCALE (stage * 2)
__device__ const int xs_reg = 3;
#define ADDED (xs_reg + 1)
__device__ inline int fetch_tile(int i) { return i + 7; }
__device__ inline int compute_tile(int i, int) { return i + 11; }
#define SHIFTED(i) (fetch_tile(i) + compute_tile(i, 0))
namespace kpipe {
__device__ const int lanes = 5;
}
#define LANES kpipe::lanes
