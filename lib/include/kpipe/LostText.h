// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of whose bodies Clang left something out after an error: what is
// not in the AST may change any variable that is not constant.
#ifndef KPIPE_LOSTTEXT_H
#define KPIPE_LOSTTEXT_H

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

namespace kpipe {

inline constexpr llvm::StringLiteral LostStatementsMark =
    "kpipe: statements are lost";

/// Marks a function; it is asked with hasLostStatements().
inline void markLostStatements(clang::FunctionDecl *F) {
  F->addAttr(clang::AnnotateAttr::CreateImplicit(
      F->getASTContext(), LostStatementsMark, nullptr, 0));
}

/// Is text of F's body missing in the AST? Closures in it count.
inline bool hasLostStatements(const clang::FunctionDecl *F) {
  for (const clang::DeclContext *C = F; C; C = C->getParent())
    if (const auto *Outer = llvm::dyn_cast<clang::FunctionDecl>(C))
      for (const auto *A : Outer->specific_attrs<clang::AnnotateAttr>())
        if (A->getAnnotation() == LostStatementsMark)
          return true;
  return false;
}

} // namespace kpipe

#endif // KPIPE_LOSTTEXT_H
