// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a variable gets other values.
#ifndef KPIPE_BOXES_CHANGES_H
#define KPIPE_BOXES_CHANGES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

/// The assignments and steps in S that change V. Nothing where it is mentioned
/// in a way that may change it otherwise: by its address, as a reference.
std::optional<llvm::SmallVector<const clang::Expr *, 4>>
changesOf(const clang::VarDecl *V, const clang::Stmt *S);

/// What is added to V by such a change, or taken from it: `v += e`, `v = v + e`,
/// `v -= e`. Null where it is another one.
const clang::Expr *addend(const clang::VarDecl *V, const clang::Expr *Change);

} // namespace kpipe

#endif // KPIPE_BOXES_CHANGES_H
