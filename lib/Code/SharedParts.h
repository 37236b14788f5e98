// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of one shared variable that have nothing in common: each is as good as
// a variable of its own.
#ifndef KPIPE_CODE_SHAREDPARTS_H
#define KPIPE_CODE_SHAREDPARTS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace kpipe {

/// Names of a shared variable: of each that is apart, the name that stands for
/// its part; of the others, the variable.
using PartsOfBlock =
    llvm::DenseMap<const clang::VarDecl *, const clang::VarDecl *>;

} // namespace kpipe

#endif // KPIPE_CODE_SHAREDPARTS_H
