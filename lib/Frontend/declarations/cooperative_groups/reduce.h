// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/reduce.h: reductions over a group and their operators.
// Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T = void> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T = void> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T = void> struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T = void> struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

// With a body, since a closure's type has no linkage; what it does is known by
// name.
template <class G, class T, class F>
__device__ T reduce(const G &g, T value, F op) {
  return op(value, value);
}
template <class G, class T, class U, class F>
__device__ void reduce_update_async(const G &g, T &target, U value, F op);
template <class G, class T, class U, class F>
__device__ void reduce_store_async(const G &g, T *target, U value, F op);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_REDUCE_H
