// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places and pointers, each made of the other, down to the array's own name.
// See FlatPlaces.h.

#include "FlatPlaces.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

FlatPlaces::FlatPlaces(const VarDecl *Array, const ASTContext &Context)
    : Array(Array), Context(Context), Known(Context),
      Element(Array->getType()) {
  Elements = 1;
  while (const auto *A = Context.getAsArrayType(Element)) {
    const auto *Sized = dyn_cast<ConstantArrayType>(A);
    Elements *= Sized ? int64_t(Sized->getZExtSize()) : 0;
    Element = A->getElementType();
  }
}

/// How many elements are in one T; 0 where that is no whole number.
int64_t FlatPlaces::widthOf(QualType T) const {
  if (T->isIncompleteType() || T->isDependentType() || T->isVoidType())
    return 0;
  const int64_t Size = Context.getTypeSizeInChars(T).getQuantity(),
                One = Context.getTypeSizeInChars(Element).getQuantity();
  return One > 0 && Size % One == 0 ? Size / One : 0;
}

FlatPlace FlatPlaces::of(const Expr *Place) {
  FlatPlace P;
  const int64_t Width = widthOf(Place->getType());
  if (Width && !Place->getType()->isArrayType() && lvalue(Place, P))
    P.Width = Width;
  return P;
}

bool FlatPlaces::isConstant(const FlatPlace &P) {
  return llvm::all_of(
      P.Parts, [&](const auto &Part) { return Known.evaluate(Part.first); });
}

bool FlatPlaces::isName(const VarDecl *V) {
  FlatPlace P;
  return V != Array && V->getType()->isPointerType() && V->hasInit() &&
         V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
         !V->getType().isVolatileQualified() && Known.unchanged(V) &&
         pointer(V->getInit(), P) && isConstant(P);
}

bool FlatPlaces::lvalue(const Expr *E, FlatPlace &To) {
  E = E->IgnoreParens();
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    return D->getDecl() == Array;
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const int64_t Width = widthOf(A->getType());
    To.Parts.push_back({A->getIdx(), Width});
    return Width && pointer(A->getBase(), To);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_Deref && pointer(U->getSubExpr(), To);
  if (const auto *C = dyn_cast<ImplicitCastExpr>(E))
    return C->getCastKind() == CK_NoOp && lvalue(C->getSubExpr(), To);
  return false;
}

bool FlatPlaces::pointer(const Expr *E, FlatPlace &To) {
  E = E->IgnoreParens();
  if (Depth > 16 || !E->getType()->isPointerType())
    return false;
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      return lvalue(C->getSubExpr(), To);
    if (C->getCastKind() == CK_BitCast || C->getCastKind() == CK_NoOp)
      return pointer(C->getSubExpr(), To);
    const auto *D = C->getCastKind() == CK_LValueToRValue
                        ? dyn_cast<DeclRefExpr>(C->getSubExpr()->IgnoreParens())
                        : nullptr;
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    ++Depth;
    const bool Good = V && isName(V) && pointer(V->getInit(), To);
    --Depth;
    return Good;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->getOpcode() == UO_AddrOf && lvalue(U->getSubExpr(), To);
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || B->getOpcode() != BO_Add)
    return false;
  const bool Left = B->getLHS()->getType()->isPointerType();
  const int64_t Width = widthOf(E->getType()->getPointeeType());
  To.Parts.push_back({Left ? B->getRHS() : B->getLHS(), Width});
  return Width && pointer(Left ? B->getLHS() : B->getRHS(), To);
}

} // namespace kpipe
