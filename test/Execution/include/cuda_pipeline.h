// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for the pipeline primitives that authors use by hand.
#pragma once

#include "cuda_runtime.h"

KX_INLINE void __pipeline_memcpy_async(void *Dst, const void *Src,
                                       std::size_t Bytes,
                                       std::size_t ZeroFill = 0) {
  kx_copy_async(Dst, Src, unsigned(Bytes), unsigned(Bytes - ZeroFill));
}
KX_INLINE void __pipeline_commit() { kx_commit(); }
KX_INLINE void __pipeline_wait_prior(unsigned Groups) { kx_wait_prior(Groups); }
