// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WordsStored.h.
#include "WordsStored.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

bool isReadOnlyLoad(const Expr *E) {
  const auto *C = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
  return F && F->getIdentifier() && C->getNumArgs() == 1 && isToolkits(F) &&
         llvm::is_contained({"__ldg", "__ldca", "__ldcg", "__ldcs"},
                            F->getName());
}

static bool isAllZero(const APValue &V) {
  switch (V.getKind()) {
  case APValue::Int:
    return V.getInt().isZero();
  case APValue::Float:
    return V.getFloat().isPosZero();
  case APValue::Struct:
    for (unsigned I = 0; I != V.getStructNumFields(); ++I)
      if (!isAllZero(V.getStructField(I)))
        return false;
    return V.getStructNumBases() == 0;
  default:
    return false;
  }
}

const Expr *copiedFrom(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *X = dyn_cast<FullExpr>(E))
      E = X->getSubExpr();
    else if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      E = M->getSubExpr();
    else if (const auto *K = dyn_cast<CXXConstructExpr>(E);
             K && K->getNumArgs() == 1 &&
             K->getConstructor()->isCopyOrMoveConstructor())
      E = K->getArg(0);
    else if (const auto *C = dyn_cast<CastExpr>(E);
             C && (C->getCastKind() == CK_LValueToRValue ||
                   C->getCastKind() == CK_NoOp))
      E = C->getSubExpr();
    else
      return E;
  }
}

bool isAllZero(const Expr *E, const ASTContext &Context) {
  const auto *C = dyn_cast<CallExpr>(E);
  if (const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
      F && F->getIdentifier() && F->getName().starts_with("make_") &&
      isToolkits(F))
    return llvm::all_of(C->arguments(), [&](const Expr *A) {
      return isAllZero(A, Context);
    });
  Expr::EvalResult R;
  return !E->isValueDependent() && E->EvaluateAsRValue(R, Context) &&
         !R.HasSideEffects && isAllZero(R.Val);
}

namespace {

class CopyingCode : public ConstDynamicRecursiveASTVisitor {
public:
  explicit CopyingCode(const ASTContext &Context, unsigned Multiple = 4)
      : Context(Context), Multiple(Multiple) {}
  StoredBy Found;
  bool Other = false;

  bool VisitVarDecl(const VarDecl *V) override {
    Own.insert(V);
    Other |= !V->hasLocalStorage();
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *B) override {
    if (B->isCompoundAssignmentOp())
      Other |= !isOwn(B->getLHS());
    else if (B->isAssignmentOp())
      store(B, B->getLHS(), B->getRHS());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator *U) override {
    Other |= U->isIncrementDecrementOp() && !isOwn(U->getSubExpr());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const auto *O = dyn_cast<CXXOperatorCallExpr>(C);
    if (O && O->getOperator() == OO_Equal && O->getNumArgs() == 2) {
      const auto *M = dyn_cast_or_null<CXXMethodDecl>(O->getDirectCallee());
      Other |= !M || !M->isTrivial();
      store(O, O->getArg(0), O->getArg(1));
      return true;
    }
    const FunctionDecl *F = C->getDirectCallee();
    const bool Computes =
        F && F->getIdentifier() && isToolkits(F) &&
        (F->getName().starts_with("make_") || F->getName() == "min" ||
         F->getName() == "max");
    Other |= !Computes && !isReadOnlyLoad(C);
    return true;
  }
  bool VisitStmt(const Stmt *S) override {
    Other |= isa<AsmStmt, ReturnStmt, BreakStmt, ContinueStmt, GotoStmt,
                 IndirectGotoStmt, SwitchStmt, LabelStmt, LambdaExpr,
                 CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(S);
    return true;
  }
  // `threadIdx.x` is a call inside.
  bool TraversePseudoObjectExpr(const PseudoObjectExpr *) override {
    return true;
  }

private:
  const ASTContext &Context;
  const unsigned Multiple;
  llvm::SmallPtrSet<const VarDecl *, 8> Own;

  bool isOwn(const Expr *E) const {
    const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    return V && Own.contains(V);
  }

  void store(const Expr *Store, const Expr *To, const Expr *Value) {
    const auto *D = dyn_cast<DeclRefExpr>(To->IgnoreParens());
    if (D) {
      Other |= !isOwn(To);
      return;
    }
    const uint64_t Bytes =
        Context.getTypeSizeInChars(To->getType()).getQuantity();
    Other |= !Bytes || Bytes % Multiple || Bytes > 64 ||
             To->getType().isVolatileQualified();
    Found[Store] = {Value, unsigned(Bytes)};
  }
};

} // namespace

std::optional<StoredBy> storesOf(const Stmt *S, const ASTContext &Context,
                                 unsigned Multiple) {
  CopyingCode F(Context, Multiple);
  F.TraverseStmt(S);
  if (F.Other || F.Found.empty())
    return std::nullopt;
  return std::move(F.Found);
}

bool changesNothing(const Stmt *S, const ASTContext &Context) {
  CopyingCode F(Context);
  F.TraverseStmt(S);
  return !F.Other && F.Found.empty();
}

} // namespace kpipe
