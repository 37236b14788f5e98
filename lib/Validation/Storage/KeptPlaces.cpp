// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a node to its parts, see KeptPlaces.h. What is not known keeps.

#include "KeptPlaces.h"
#include "StorageRoots.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

/// `(p = q) = r` sets p by what `p = q` yields.
static bool isSetBefore(const Stmt *S) {
  if (isa<ParenExpr, FullExpr, MaterializeTemporaryExpr, CastExpr>(S))
    return isSetBefore(*S->child_begin());
  if (const auto *M = dyn_cast<MemberExpr>(S))
    return !M->isArrow() && isSetBefore(M->getBase());
  if (const auto *C = dyn_cast<ConditionalOperator>(S))
    return isSetBefore(C->getTrueExpr()) || isSetBefore(C->getFalseExpr());
  if (const auto *U = dyn_cast<UnaryOperator>(S))
    return U->isIncrementDecrementOp();
  if (const auto *B = dyn_cast<BinaryOperator>(S))
    return B->isAssignmentOp() || (B->isCommaOp() && isSetBefore(B->getRHS()));
  return isa<CXXOperatorCallExpr>(S);
}

static bool ofOperator(const BinaryOperator *B, const Stmt *Child, bool Kept) {
  if (B->getOpcode() == BO_Comma)
    return Child == B->getRHS() && Kept;
  if (B->isAssignmentOp())
    return Child != B->getLHS() || Kept || isSetBefore(Child);
  // A member pointer names a part, and so does an address within an array.
  return Kept || !(B->isPtrMemOp() || B->getType()->isPointerType());
}

static bool ofCall(const CallExpr *C, const Stmt *Child, bool Kept) {
  const auto *M = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
  bool Copies = M && M->isTrivial() && isa<CXXOperatorCallExpr>(C) &&
                C->getNumArgs() == 2;
  return !Copies || (Child == objectOf(C) && (Kept || isSetBefore(Child)));
}

bool keepsPlace(const Stmt *Parent, const Stmt *Child, bool Kept) {
  const auto *E = dyn_cast<Expr>(Parent);
  if (!E) // a statement drops what its parts yield
    return isa<DeclStmt>(Parent) || isa<ReturnStmt>(Parent) ||
           (isa<AsmStmt>(Parent) && isSetBefore(Child));
  if (const auto *C = dyn_cast<CastExpr>(E))
    switch (C->getCastKind()) {
    case CK_LValueToRValue:
    case CK_ToVoid:
      return false;
    case CK_ArrayToPointerDecay:
      return Kept;
    default:
      return C->isPRValue() || Kept;
    }
  if (isa<ParenExpr>(E) || isa<FullExpr>(E))
    return Kept;
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return M->isArrow() || Kept || isa<CXXMethodDecl>(M->getMemberDecl());
  if (isa<ArraySubscriptExpr>(E))
    return Kept;
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->isIncrementDecrementOp()
               ? (U->isPrefix() && Kept) || isSetBefore(Child)
               : Kept || U->getOpcode() != UO_Deref;
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return ofOperator(B, Child, Kept);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return Kept && Child != C->getCond();
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return !C->getConstructor()->isTrivial();
  if (const auto *C = dyn_cast<CallExpr>(E))
    return ofCall(C, Child, Kept);
  return true;
}

} // namespace kpipe
