// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/scan.h: prefix sums over a group. Declarations only.
#ifndef KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H
#define KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class G, class T, class F>
__device__ T inclusive_scan(const G &g, T value, F op) {
  return op(value, value);
}
template <class G, class T> __device__ T inclusive_scan(const G &g, T value);
template <class G, class T, class F>
__device__ T exclusive_scan(const G &g, T value, F op) {
  return op(value, value);
}
template <class G, class T> __device__ T exclusive_scan(const G &g, T value);

} // namespace cooperative_groups

#endif // KPIPE_DECL_COOPERATIVE_GROUPS_SCAN_H
