// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as its author wrote it, and the same with rows that the copy engine
// brings: what went or became a branch, what came in its place, and that all
// else is equal. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_BULKCODE_H
#define KPIPE_LIB_VALIDATION_BULKCODE_H

#include "Validation/Trees/Tree.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include <vector>

namespace kpipe {

struct BulkCode {
  bool Same = false;
  const clang::ForStmt *AuthorLoop = nullptr, *EngineLoop = nullptr;
  /// Statements of the author's loop that only copy: they are gone, or done
  /// where Condition does not hold.
  std::vector<const clang::Stmt *> Copies;
  /// In the other text: what is asked in front of the loop, if anything; who
  /// initialises the mbarrier; who issues, and who waits.
  const clang::Expr *Condition = nullptr;
  const clang::IfStmt *Init = nullptr, *Issue = nullptr;
  std::vector<const clang::Stmt *> Waits;
  /// The author's statements between the issue and the wait.
  std::vector<const Tree *> Between;
};

/// \param Context of the author's. The trees outlive the answer.
BulkCode compareBulk(const Tree &Author, const Tree &Engine,
                     const clang::ASTContext &Context,
                     const clang::ASTContext &EngineContext);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_BULKCODE_H
