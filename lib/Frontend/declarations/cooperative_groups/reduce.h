// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/reduce.h: reductions over a group and their operators.
// Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class _Tp = void> struct plus {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return a + b; }
};
template <class _Tp = void> struct less {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return b < a ? b : a; }
};
template <class _Tp = void> struct greater {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return a < b ? b : a; }
};
template <class _Tp = void> struct bit_and {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return a & b; }
};
template <class _Tp = void> struct bit_or {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return a | b; }
};
template <class _Tp = void> struct bit_xor {
  __device__ _Tp operator()(_Tp a, _Tp b) const { return a ^ b; }
};

// With a body, since a closure's type has no linkage; what it does is known by
// name.
template <class _Gp, class _Tp, class _Fp>
__device__ _Tp reduce(const _Gp &g, _Tp value, _Fp op) {
  return op(value, value);
}
template <class _Gp, class _Tp, class _Up, class _Fp>
__device__ void reduce_update_async(const _Gp &g, _Tp &target, _Up value,
                                    _Fp op);
template <class _Gp, class _Tp, class _Up, class _Fp>
__device__ void reduce_store_async(const _Gp &g, _Tp *target, _Up value,
                                   _Fp op);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H
