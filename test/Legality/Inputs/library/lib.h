// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose device code is linked in: advance() moves what position()
// returns.
#pragma once
extern "C" __device__ int position();
extern "C" __device__ void advance();
extern "C" __device__ float atomicScale(float v);
