// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/scan.h: prefix sums over a group. Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class _Gp, class _Tp, class _Fp>
__device__ _Tp inclusive_scan(const _Gp &g, _Tp value, _Fp op) {
  return op(value, value);
}
template <class _Gp, class _Tp>
__device__ _Tp inclusive_scan(const _Gp &g, _Tp value);
template <class _Gp, class _Tp, class _Fp>
__device__ _Tp exclusive_scan(const _Gp &g, _Tp value, _Fp op) {
  return op(value, value);
}
template <class _Gp, class _Tp>
__device__ _Tp exclusive_scan(const _Gp &g, _Tp value);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H
