// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of a body that pass barriers of their own, the outermost first.
#ifndef KPIPE_LOWERING_BARRIERLOOPS_H
#define KPIPE_LOWERING_BARRIERLOOPS_H

#include "Code/Jumps.h"
#include "SingleStage.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

struct BarrierLoops : clang::ConstDynamicRecursiveASTVisitor {
  llvm::function_ref<void(const clang::Stmt *)> Found;
  explicit BarrierLoops(llvm::function_ref<void(const clang::Stmt *)> Found)
      : Found(Found) {}
  bool VisitStmt(const clang::Stmt *S) override {
    if (isLoop(S) && !clang::isa<clang::CXXForRangeStmt>(S) &&
        !S->getBeginLoc().isMacroID())
      if (const auto *Body =
              clang::dyn_cast_or_null<clang::CompoundStmt>(bodyOf(S)))
        if (llvm::any_of(Body->body(), isBarrier))
          Found(S);
    return true;
  }
  bool TraverseLambdaExpr(const clang::LambdaExpr *) override { return true; }

  /// A statement of the body that passes one in each turn, as far as can be
  /// seen here.
  static bool isBarrier(const clang::Stmt *S) {
    return clang::isa<clang::Expr, clang::GCCAsmStmt, clang::DoStmt>(S) &&
           hasBarrier(S);
  }
};

/// Is there such a node in S, or is it one? \param S may be null.
bool anyNode(const clang::Stmt *S,
             llvm::function_ref<bool(const clang::Stmt *)> Is);

/// What E assigns to, and where its operator stands; null for anything else.
const clang::Expr *assignedTo(const clang::Expr *E,
                              clang::SourceLocation *At = nullptr);

/// The array, pointer or object that an element belongs to; may be null.
const clang::VarDecl *ownerOfElement(const clang::Expr *E);

/// Does S store to shared memory, or to what may be a name for it? What a
/// kernel is given is not.
bool fillsTile(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_LOWERING_BARRIERLOOPS_H
