// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_pipeline_primitives.h: the C form of asynchronous copies to shared
// memory. Declarations only.
#ifndef KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
#define KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
// The toolkit's own guard, for code that asks whether its header came before.
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "__kpipe_cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

__device__ void __pipeline_memcpy_async(void *dst_shared,
                                        const void *src_global,
                                        size_t size_and_align,
                                        size_t zfill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t n);
__device__ void __pipeline_arrive_on(__mbarrier_t *barrier);

__device__ void __mbarrier_init(__mbarrier_t *barrier, uint32_t count);
__device__ void __mbarrier_inval(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier);
__device__ bool __mbarrier_test_wait(__mbarrier_t *barrier,
                                     __mbarrier_token_t token);
__device__ bool __mbarrier_try_wait(__mbarrier_t *barrier,
                                    __mbarrier_token_t token,
                                    uint32_t max_sleep_ns);

#endif // KPIPE_DECL_CUDA_PIPELINE_PRIMITIVES_H
