// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `++j, q >>= 4` in the header of a copy loop: what steps beside the counter
// becomes a statement.
#ifndef KPIPE_LOWERING_SECONDSTEPS_H
#define KPIPE_LOWERING_SECONDSTEPS_H

#include "StepEdits.h"

namespace kpipe {

/// \param Around the statement that F is a part of.
/// \returns whether F has such a header.
bool secondSteps(const clang::ForStmt *F, const clang::Stmt *Around,
                 StepEdits &To);

/// Does anything in S begin another turn of some loop?
bool mayContinue(const clang::Stmt *S);

/// Does D declare nothing but numbers of the thread's own, whose values neither
/// do anything nor name V?
bool declaresApart(const clang::DeclStmt *D, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_LOWERING_SECONDSTEPS_H
