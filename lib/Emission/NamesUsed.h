// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a statement needs around it where it is to stand.
#ifndef KPIPE_EMISSION_NAMESUSED_H
#define KPIPE_EMISSION_NAMESUSED_H

#include "Code/AstUtils.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

using DeclSet = llvm::SmallPtrSet<const clang::Decl *, 8>;

/// All variables that a statement names, and those of them that it does more
/// with than read their values: it may give them others, now or through the
/// address that it takes.
struct Uses {
  VarSet Named, Defined;
  DeclSet Spelled; ///< types, enumerations and functions that it names
};

Uses usesOf(const clang::Stmt *S);

/// Does evaluating E do more than give a value? `blockIdx.x` does not.
bool hasEffect(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_EMISSION_NAMESUSED_H
