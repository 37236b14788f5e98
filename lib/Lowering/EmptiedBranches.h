// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that have nothing to do any more.
#ifndef KPIPE_LOWERING_EMPTIEDBRANCHES_H
#define KPIPE_LOWERING_EMPTIEDBRANCHES_H

#include "Code/AsyncOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Branches that hold nothing but what is gone: `if (lane < 16) commit();`.
llvm::SmallPtrSet<const clang::Stmt *, 8>
emptiedBranches(llvm::SmallVector<const clang::Stmt *, 8> Gone,
                const AsyncOps &Ops);

} // namespace kpipe

#endif // KPIPE_LOWERING_EMPTIEDBRANCHES_H
