// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_pipeline.h: asynchronous copies to shared memory, C and older C++ form.
// Declarations only.
#ifndef KPIPE_DECL_CUDA_PIPELINE_H
#define KPIPE_DECL_CUDA_PIPELINE_H
// The toolkit's own guard, for code that asks whether its header came before.
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

template <size_t _Np, class _Tp> __device__ auto segment(_Tp *p) -> _Tp (*)[_Np];

class pipeline {
  size_t __batch;

public:
  __device__ pipeline();
  pipeline(const pipeline &) = delete;
  pipeline &operator=(const pipeline &) = delete;
  __device__ size_t commit();
  __device__ void commit_and_wait();
  __device__ void wait(size_t batch);
  template <unsigned _Np> __device__ void wait_prior();
};

template <class _Tp>
__device__ void memcpy_async(_Tp &dst, const _Tp &src, pipeline &pipe);
template <class _Tp, size_t _Dn, size_t _Sn>
__device__ void memcpy_async(_Tp (*dst)[_Dn], const _Tp (*src)[_Sn],
                             pipeline &pipe);

} // namespace experimental
} // namespace nvcuda

#endif // KPIPE_DECL_CUDA_PIPELINE_H
