// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What in a kernel, and in what it calls, is for all threads of a block, so that
// a warp more would change what it means; and what code does the same whoever
// runs it.
#ifndef KPIPE_LIB_KERNEL_PRODUCERCODE_H
#define KPIPE_LIB_KERNEL_PRODUCERCODE_H

#include "Code/ThreadDependence.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// In the kernel's own text, in its order.
struct BlockCode {
  /// Why a warp more cannot be told from the author's threads, as a clause.
  Message Not;
  llvm::SmallVector<const clang::CallExpr *, 4> Barriers; ///< `__syncthreads()`
  llvm::SmallVector<const clang::Expr *, 2> Sizes;        ///< `blockDim.x`
};

BlockCode blockCodeOf(const clang::FunctionDecl *Kernel);

/// What makes a statement of a kernel do something else where another thread runs
/// it, as the name in a message; empty if nothing does.
Message dependsOnThread(const clang::Stmt *S, const ThreadDependence &Values);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_PRODUCERCODE_H
