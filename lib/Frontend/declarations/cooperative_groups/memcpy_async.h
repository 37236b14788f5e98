// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/memcpy_async.h: asynchronous copies by a group.
// Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class G, class D, class S, class Shape>
__device__ void memcpy_async(const G &g, D *dst, const S *src,
                             const Shape &shape);
template <class G, class D, class DL, class S, class SL>
__device__ void memcpy_async(const G &g, D *dst, const DL &dstLayout,
                             const S *src, const SL &srcLayout);
template <class G> __device__ void wait(const G &g);
template <unsigned Stages, class G> __device__ void wait_prior(const G &g);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
