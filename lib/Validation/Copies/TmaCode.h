// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as its author wrote it, and the same with tiles that the copy engine
// brings: what went, what came in its place, and that all else is equal.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TMACODE_H
#define KPIPE_LIB_VALIDATION_TMACODE_H

#include "Validation/Trees/Tree.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace kpipe {

/// A shared array in both texts.
struct TmaArray {
  const clang::VarDecl *Author = nullptr, *Engine = nullptr;
  /// A call of the runtime's in place of one of its elements.
  const clang::CallExpr *Element = nullptr;
};

struct TmaCode {
  bool Same = false;
  const clang::ForStmt *AuthorLoop = nullptr, *EngineLoop = nullptr;
  /// Statements of the author's loop that only copy, and are gone.
  std::vector<const clang::Stmt *> Copies;
  /// In the other loop: who issues, and who waits.
  const clang::IfStmt *Issue = nullptr;
  std::vector<const clang::Stmt *> Waits;
  std::vector<TmaArray> Arrays;
  /// Parameters behind the author's.
  std::vector<const clang::ParmVarDecl *> Maps;
};

/// \param Context of the author's.
TmaCode compareTma(const Tree &Author, const Tree &Engine,
                   const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TMACODE_H
