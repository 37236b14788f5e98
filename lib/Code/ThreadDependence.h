// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may differ among the threads of a block, asked before a barrier under a
// condition is believed.
#ifndef KPIPE_CODE_THREADDEPENDENCE_H
#define KPIPE_CODE_THREADDEPENDENCE_H

#include "CallIndex.h"
#include "kpipe/TileLoop.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kpipe {

/// What decides whether, or how often, parts of S run; null where nothing does.
const clang::Expr *conditionOf(const clang::Stmt *S);

/// The variables of a function that may differ among threads: those that take
/// such a value in one of their assignments, that are assigned where not every
/// thread comes, or whose changes cannot all be seen. A kernel's parameters are
/// the same for all threads; those of other functions are if each call gives
/// such a value; what a lambda captures may differ.
class ThreadDependence : public clang::ConstDynamicRecursiveASTVisitor {
public:
  /// \param Calls the calls of the unit; null if they are not known.
  ThreadDependence(const clang::FunctionDecl *F, const CallIndex *Calls)
      : ThreadDependence(F, Calls, 0, false) {}

  /// The same, but that what a kernel loads by a pointer parameter that nothing
  /// changes is the same for all threads where its place is: whoever stores
  /// something else there between their loads would race with one of them, if
  /// threads wait for one another as a block alone, or nobody stores there.
  static ThreadDependence withLoads(const clang::FunctionDecl *F,
                                    const CallIndex *Calls) {
    return ThreadDependence(F, Calls, 0, true);
  }

  /// Whether the value of E may differ; false for null. What is loaded or
  /// returned cannot be told, so it may, but for calls of functions that make
  /// their result of what they are given.
  bool dependent(const clang::Expr *E) const;

  /// May some threads run a statement below S, or run it more often, while
  /// others do not? S alone is asked, not what is around it.
  bool divides(const clang::Stmt *S) const;

  bool TraverseStmt(const clang::Stmt *S) override;
  bool VisitVarDecl(const clang::VarDecl *V) override;
  bool VisitBinaryOperator(const clang::BinaryOperator *B) override;
  bool VisitUnaryOperator(const clang::UnaryOperator *U) override;
  bool VisitImplicitCastExpr(const clang::ImplicitCastExpr *C) override;
  bool VisitCallExpr(const clang::CallExpr *C) override;
  bool VisitDeclRefExpr(const clang::DeclRefExpr *D) override;
  bool TraversePseudoObjectExpr(const clang::PseudoObjectExpr *P) override;
  bool TraverseOpaqueValueExpr(const clang::OpaqueValueExpr *O) override;

private:
  using Base = clang::ConstDynamicRecursiveASTVisitor;

  llvm::SmallPtrSet<const clang::VarDecl *, 16> Vars;
  /// Mentions that read a value or assign one, all others hand a name away.
  llvm::SmallPtrSet<const clang::DeclRefExpr *, 32> Plain;
  /// Expressions whose result nobody has a name for: it is dropped, or read.
  llvm::SmallPtrSet<const clang::Expr *, 32> Unnamed;
  /// Of the branches and loops that the visitor is in.
  llvm::SmallVector<bool, 8> Divergent;
  bool Changed = false;
  const clang::FunctionDecl *Of;
  const CallIndex *Calls;
  /// What the function may write, once that was asked, and whether all that it
  /// does is seen.
  std::optional<VarSet> Written;
  bool AllSeen = false;
  /// See withLoads.
  bool LoadsCount = false;
  /// What one thread finds in shared memory the others find as well.
  bool SharedIsCommon = true;
  /// Pointers by which all threads load the same.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Common;

  ThreadDependence(const clang::FunctionDecl *F, const CallIndex *Calls,
                   unsigned Depth, bool Loads);
  void takeParameters(const clang::FunctionDecl *F, const CallIndex *Calls,
                      unsigned Depth);
  void takeCommon(const clang::FunctionDecl *F);
  bool traverseControl(const clang::Stmt *S);
  bool leavesApart(const clang::Stmt *Loop) const;
  void assign(const clang::Expr *Whole, const clang::Expr *Target,
              const clang::Expr *Value);
  void leaveUnnamed(const clang::Stmt *S);
  void readsFrom(const clang::Expr *E);
  /// Is V a parameter that the function never gives another value?
  bool keepsValue(const clang::VarDecl *V);
  void note(const clang::VarDecl *V);
};

} // namespace kpipe

#endif // KPIPE_CODE_THREADDEPENDENCE_H
