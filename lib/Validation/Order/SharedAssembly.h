// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly of a kernel that knows its shared memory by other ways than names:
// the validators' own walk. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_SHAREDASSEMBLY_H
#define KPIPE_LIB_VALIDATION_SHAREDASSEMBLY_H

#include "clang/AST/Decl.h"

namespace kpipe {

/// May F, or what it calls, reach the shared memory of another block?
bool reachesOtherBlock(const clang::FunctionDecl *F);

/// Where F, or what it calls, asks how much shared memory there is; null: it
/// does not.
const clang::Stmt *sharedSizeQuery(const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SHAREDASSEMBLY_H
