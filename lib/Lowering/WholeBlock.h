// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cuda::barrier counts threads, a cuda::pipeline has a group of them. Only
// where these are the block's may `__syncthreads()` stand in their place.
#ifndef KPIPE_LOWERING_WHOLEBLOCK_H
#define KPIPE_LOWERING_WHOLEBLOCK_H

#include "Code/AsyncOps.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Do all threads of the block meet at Op, which is in Loop, and does nothing
/// but what Ops understands ask the object how often they met?
bool meetsWholeBlock(const AsyncOp &Op, const clang::Stmt *Loop,
                     llvm::ArrayRef<const clang::Stmt *> Loops,
                     const AsyncOps &Ops, const clang::FunctionDecl *Body);

/// Do all threads of the block come to a statement, and equally often?
bool allThreadsComeTo(const clang::Stmt *S, const clang::FunctionDecl *Body);

/// Does the whole block make a pipeline, by make_pipeline?
bool isMadeByBlock(const clang::VarDecl *Pipe);

/// Is the pipeline of Op made for producers and consumers apart, with a shared
/// state of one stage?
bool hasRolesInOneStage(const AsyncOp &Op);

/// Where the body names a barrier, and where it names the variables that hold
/// its address and nothing else; not where these are made.
llvm::SmallVector<const clang::DeclRefExpr *, 8>
namesOfBarrier(const clang::VarDecl *V, const AsyncOps &Ops,
               const clang::FunctionDecl *Body);

/// \returns n where S is `init(&V, n)` and that is all, else null.
const clang::Expr *initialCount(const clang::Stmt *S, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_LOWERING_WHOLEBLOCK_H
