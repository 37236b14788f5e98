// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header's kernel may have instances in other files, which may take another
// branch: the condition around a barrier stays there.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --header-filter=.* %s 2>&1 | FileCheck %s
// CHECK-NOT: remark: pipelined
// CHECK: not pipelined: {{.*}} [kpipe-{{.*}}]
// CHECK-NOT: remark: pipelined
#include "Inputs/constant_branches.cuh"

template __global__ void of_header<1>(const float *, float *, int);
