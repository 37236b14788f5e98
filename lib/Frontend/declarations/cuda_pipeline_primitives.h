// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_pipeline_primitives.h: the C form of asynchronous copies to shared
// memory. Declarations only.
#ifndef KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
#define KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
// The toolkit's own guard, for code that asks whether its header came before.
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "__kpipe_cuda_runtime.h"

#include "cuda_awbarrier_primitives.h"

__device__ void __pipeline_memcpy_async(void *dst_shared,
                                        const void *src_global,
                                        size_t size_and_align,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t n);
__device__ void __pipeline_arrive_on(__mbarrier_t *barrier);

#endif // KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
