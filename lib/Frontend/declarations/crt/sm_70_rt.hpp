// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// crt/sm_70_rt.hpp: the name under which Clang's __clang_cuda_intrinsics.h asks
// for what came with sm_70: warp matches and sleep. Declarations only.
#ifndef KPIPE_DECL_SM_70_RT_H
#define KPIPE_DECL_SM_70_RT_H

#define KPIPE_MATCH(T)                                                         \
  __device__ unsigned int __match_any_sync(unsigned int mask, T value);        \
  __device__ unsigned int __match_all_sync(unsigned int mask, T value,         \
                                           int *pred);
KPIPE_MATCH(int)
KPIPE_MATCH(unsigned int)
KPIPE_MATCH(long)
KPIPE_MATCH(unsigned long)
KPIPE_MATCH(long long)
KPIPE_MATCH(unsigned long long)
KPIPE_MATCH(float)
KPIPE_MATCH(double)
#undef KPIPE_MATCH

__device__ void __nanosleep(unsigned int ns);
__device__ unsigned short atomicCAS(unsigned short *address,
                                    unsigned short compare,
                                    unsigned short value);

#endif // KPIPE_DECL_SM_70_RT_H
