// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_awbarrier_primitives.h: the arrive-wait barrier as C functions, as CUDA
// documents them. Declarations only.
#ifndef KPIPE_DECL_CUDA_AWBARRIER_PRIMITIVES_H
#define KPIPE_DECL_CUDA_AWBARRIER_PRIMITIVES_H
// The toolkit's own guard, for code that asks whether its header came before.
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "__kpipe_cuda_runtime.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

__host__ __device__ uint32_t __mbarrier_maximum_count();
__device__ void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected);
__device__ void __mbarrier_inval(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier);
__device__ bool __mbarrier_test_wait(__mbarrier_t *barrier,
                                     __mbarrier_token_t token);
__device__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token);
__device__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool phase);
__device__ bool __mbarrier_try_wait(__mbarrier_t *barrier,
                                    __mbarrier_token_t token,
                                    uint32_t nanoseconds);
__device__ bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool phase,
                                           uint32_t nanoseconds);

#endif // KPIPE_DECL_CUDA_AWBARRIER_PRIMITIVES_H
