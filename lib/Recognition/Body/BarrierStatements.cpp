// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements as barriers, see BarrierStatements.h.
#include "BarrierStatements.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool isBarrier(const Stmt *S, const Effects &E, const ASTContext &Context) {
  if (!E.isOnlyBlockBarrier())
    return false;
  for (;;) {
    const auto *Block = dyn_cast<CompoundStmt>(S);
    const auto *Once = dyn_cast<DoStmt>(S);
    bool Again = true;
    if (Block && Block->size() == 1)
      S = Block->body_front();
    else if (Once && !Once->getCond()->isValueDependent() &&
             Once->getCond()->EvaluateAsBooleanCondition(Again, Context) &&
             !Again)
      S = Once->getBody();
    else
      return isa<Expr, GCCAsmStmt>(S);
  }
}

bool isBarrierOnCondition(const Stmt *S, const Effects &E) {
  const auto *I = dyn_cast<IfStmt>(S);
  if (!I || I->isConstexpr() || I->getElse() || I->getInit() ||
      I->getConditionVariable() || !E.isOnlyBlockBarrier())
    return false;
  // What a thread computes of its own index or loads may differ from what
  // others do.
  struct Finder : ConstDynamicRecursiveASTVisitor {
    bool Own = false;
    bool VisitExpr(const Expr *E) override {
      Own |=
          isa<PseudoObjectExpr, CallExpr, ArraySubscriptExpr, CXXThisExpr>(E);
      if (const auto *U = dyn_cast<UnaryOperator>(E))
        Own |= U->getOpcode() == UO_Deref;
      if (const auto *M = dyn_cast<MemberExpr>(E))
        Own |= M->isArrow();
      return true;
    }
  } F;
  F.TraverseStmt(I->getCond());
  return !F.Own;
}

namespace {

/// Looks at what is evaluated in any case.
class Passes {
public:
  bool in(const Stmt *S) {
    if (!S)
      return false;
    if (const auto *C = dyn_cast<CallExpr>(S); C && called(C))
      return true;
    if (const auto *D = dyn_cast<DeclStmt>(S))
      return llvm::any_of(D->decls(), [&](const Decl *X) {
        const auto *V = dyn_cast<VarDecl>(X);
        return V && !V->isStaticLocal() && in(V->getInit());
      });
    if (const auto *I = dyn_cast<IfStmt>(S))
      return !I->getConditionVariable() &&
             (in(I->getInit()) || in(I->getCond()));
    const auto *B = dyn_cast<BinaryOperator>(S);
    if (isa<LambdaExpr, ForStmt, WhileStmt, SwitchStmt, CXXForRangeStmt,
            AbstractConditionalOperator, UnaryExprOrTypeTraitExpr>(S) ||
        (B && B->isLogicalOp()))
      return false;
    for (const Stmt *Child : S->children()) {
      if (in(Child))
        return true;
      // What follows a jump is not reached in any case.
      if (Child && mayLeave(Child))
        return false;
    }
    return false;
  }

private:
  llvm::SmallVector<const FunctionDecl *, 4> Inside;

  static bool mayLeave(const Stmt *S) {
    struct Finder : ConstDynamicRecursiveASTVisitor {
      bool Found = false;
      bool VisitStmt(const Stmt *S) override {
        Found |= isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt,
                     IndirectGotoStmt, LabelStmt>(S);
        return !Found;
      }
      bool TraverseLambdaExpr(const LambdaExpr *) override { return true; }
    } F;
    F.TraverseStmt(S);
    return F.Found;
  }

  bool called(const CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (!F)
      return false;
    CallKind Kind = classifyCall(F);
    if (Kind == CallKind::BlockBarrier || Kind == CallKind::ValueBarrier)
      return true;
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (Kind != CallKind::Ordinary || (M && M->isVirtual()) ||
        !F->hasBody(Definition) || Definition->isWeak() || Inside.size() == 8 ||
        llvm::is_contained(Inside, Definition))
      return false;
    Inside.push_back(Definition);
    bool Found = in(Definition->getBody());
    Inside.pop_back();
    return Found;
  }
};

} // namespace

bool passesBarrier(const Stmt *S) { return Passes().in(S); }

} // namespace kpipe
