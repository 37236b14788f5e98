// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every node of a statement, and the variables that it declares and mentions.
#ifndef KPIPE_VALIDATION_CODENODES_H
#define KPIPE_VALIDATION_CODENODES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

using StmtSet = llvm::SmallPtrSet<const clang::Stmt *, 16>;

struct CodeNodes {
  StmtSet All;
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Declared, Mentioned;
};

CodeNodes nodesOf(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_VALIDATION_CODENODES_H
