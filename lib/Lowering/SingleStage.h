// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops of a body copy asynchronously and wait in the same turn.
#ifndef KPIPE_LOWERING_SINGLESTAGE_H
#define KPIPE_LOWERING_SINGLESTAGE_H

#include "Code/AsyncOps.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// The innermost loops that copy, wait and pass a barrier of the block, of
/// which every operation is understood and every turn begins with nothing in
/// flight; in the order of the source.
llvm::SmallVector<const clang::Stmt *, 2>
findSingleStageLoops(const clang::FunctionDecl *Body, const AsyncOps &Ops,
                     clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LOWERING_SINGLESTAGE_H
