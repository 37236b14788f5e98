// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose device code is linked in; a system header that is not CUDA's.
#pragma once
extern "C" __device__ int lib_next_tile(); // advances with lib_tile_done()
extern "C" __device__ void lib_tile_done();
extern "C" __device__ void lib_put(float *to, float value);
template <typename E> __device__ E lib_read(const E *from);
struct LibCounter {
  __device__ int next();
};
