// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that start at a thread's own index and yet have as many turns for each
// thread: `for (k = threadIdx.x; k < n / T * T; k += T)`, in blocks that are no
// wider than a step.
#ifndef KPIPE_CODE_EQUALTRIPS_H
#define KPIPE_CODE_EQUALTRIPS_H

#include "Scope.h"
#include "ThreadDependence.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// Does the condition of F hold for all threads of a block equally often? Says
/// nothing of jumps out of F. False where that is not known.
bool hasEqualTrips(const clang::ForStmt *F, const ThreadDependence &Threads,
                   const Scope &In);

} // namespace kpipe

#endif // KPIPE_CODE_EQUALTRIPS_H
