// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/memcpy_async.h: asynchronous copies by a group.
// Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

namespace cooperative_groups {

// Bytes; a number, or cuda::aligned_size_t.
template <class _Gp, class _Tp, class _Size>
__device__ void memcpy_async(const _Gp &g, _Tp *dst, const _Tp *src,
                             const _Size &size);
// Elements.
template <class _Gp, class _Tp, class _DL, class _SL>
__device__ void memcpy_async(const _Gp &g, _Tp *dst, const _DL &dstLayout,
                             const _Tp *src, const _SL &srcLayout);
template <class _Gp> __device__ void wait(const _Gp &g);
template <unsigned _Stages, class _Gp> __device__ void wait_prior(const _Gp &g);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
