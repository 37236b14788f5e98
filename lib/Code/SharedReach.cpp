// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a place down to the variable that it lies in, with bounds of all that is
// added on the way, see SharedReach.h.

#include "SharedReach.h"
#include "AstUtils.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

static constexpr unsigned MostLevels = 32;

std::optional<int64_t> SharedReach::sizeOf(QualType T) const {
  if (!hasSize(T))
    return std::nullopt;
  return Context.getTypeSizeInChars(T).getQuantity();
}

SharedReach::Bytes SharedReach::moved(const Bytes &From, const Expr *By,
                                      QualType Element, int Sign) {
  auto Count = Bounds.of(By);
  auto Size = sizeOf(Element);
  if (!From || !Count || !Size || Count->High > INT32_MAX ||
      Count->Low < INT32_MIN)
    return std::nullopt;
  int64_t A = Count->Low * *Size * Sign, B = Count->High * *Size * Sign;
  return Range64{From->Low + std::min(A, B), From->High + std::max(A, B), 1};
}

/// Where a variable points that is made once; Reference: what it is.
SharedReach::Bytes SharedReach::variable(const VarDecl *V) {
  const bool Reference = V->getType()->isReferenceType();
  if (isa<ParmVarDecl>(V) || !V->hasInit() || !V->hasLocalStorage() ||
      !(Reference || Known.unchanged(V)))
    return std::nullopt;
  // Other loops' variables had other values where it was made.
  const auto Around = Loops;
  llvm::erase_if(Loops, [&](const ForStmt *F) {
    return !F->getBody()->getSourceRange().fullyContains(V->getSourceRange());
  });
  Bounds.setLoops(Loops);
  Bytes Found = Reference ? lvalue(V->getInit()) : pointer(V->getInit());
  Loops = Around;
  Bounds.setLoops(Loops);
  return Found;
}

SharedReach::Bytes SharedReach::lvalue(const Expr *E) {
  if (Depth == MostLevels)
    return std::nullopt;
  ++Depth;
  E = E->IgnoreParens();
  Bytes Found;
  if (const auto *F = dyn_cast<FullExpr>(E)) {
    Found = lvalue(F->getSubExpr());
  } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V == Buffer)
      Found = Range64{};
    else if (V && V->getType()->isReferenceType())
      Found = variable(V);
  } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    Found = moved(pointer(A->getBase()), A->getIdx(), A->getType(), 1);
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_Deref) {
    Found = pointer(U->getSubExpr());
  } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (F && !F->getType()->isReferenceType() && !F->isBitField()) {
      Found = M->isArrow() ? pointer(M->getBase()) : lvalue(M->getBase());
      const int64_t Offset =
          Context.toCharUnitsFromBits(Context.getFieldOffset(F)).getQuantity();
      if (Found)
        Found = Range64{Found->Low + Offset, Found->High + Offset, 1};
    }
  } else if (const auto *C = dyn_cast<CastExpr>(E);
             C && (C->getCastKind() == CK_NoOp ||
                   C->getCastKind() == CK_LValueBitCast)) {
    Found = lvalue(C->getSubExpr());
  }
  --Depth;
  return Found;
}

SharedReach::Bytes SharedReach::pointer(const Expr *E) {
  if (Depth == MostLevels)
    return std::nullopt;
  ++Depth;
  E = E->IgnoreParens();
  Bytes Found;
  if (const auto *F = dyn_cast<FullExpr>(E)) {
    Found = pointer(F->getSubExpr());
  } else if (const auto *C = dyn_cast<CastExpr>(E)) {
    const Expr *Sub = C->getSubExpr();
    const auto *D = dyn_cast<DeclRefExpr>(Sub->IgnoreParens());
    const auto *V = D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      Found = lvalue(Sub);
    else if (C->getCastKind() == CK_LValueToRValue && V)
      Found = variable(V);
    else if (C->getCastKind() == CK_BitCast || C->getCastKind() == CK_NoOp)
      Found = pointer(Sub);
  } else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && U->getOpcode() == UO_AddrOf) {
    Found = lvalue(U->getSubExpr());
  } else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp()) {
    const bool Left = B->getLHS()->getType()->isPointerType();
    Found =
        moved(pointer(Left ? B->getLHS() : B->getRHS()),
              Left ? B->getRHS() : B->getLHS(), B->getType()->getPointeeType(),
              B->getOpcode() == BO_Sub ? -1 : 1);
  }
  --Depth;
  return Found;
}

} // namespace kpipe
