// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members, elements and names, see DeclaredAlignment.h.
#include "DeclaredAlignment.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include <algorithm>

using namespace clang;

namespace kpipe {

uint64_t declaredAlignment(const Expr *Place, const ASTContext &Context) {
  const Expr *E = Place->IgnoreParens();
  if (E->isPRValue() && E->getType()->isPointerType()) {
    const auto *U = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
    return U && U->getOpcode() == UO_AddrOf
               ? declaredAlignment(U->getSubExpr(), Context)
               : Context.getTypeAlignInChars(E->getType()->getPointeeType())
                     .getQuantity();
  }
  uint64_t Own = Context.getTypeAlignInChars(E->getType().getNonReferenceType())
                     .getQuantity();
  auto least = [&](const Expr *Other) {
    return std::min(Own, declaredAlignment(Other, Context));
  };
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!F || F->getType()->isReferenceType())
      return Own;
    Own = std::min<uint64_t>(Own, Context.getDeclAlign(F).getQuantity());
    // An object that is less aligned than its class has members that are.
    const Expr *Base = M->getBase();
    const QualType Class =
        M->isArrow() ? Base->getType()->getPointeeType() : Base->getType();
    const uint64_t Whole = Context.getTypeAlignInChars(Class).getQuantity();
    const uint64_t Declared =
        Context.getTypeAlignInChars(Context.getCanonicalType(Class))
            .getQuantity();
    const uint64_t Has = M->isArrow() || !Base->isGLValue()
                             ? Whole
                             : declaredAlignment(Base, Context);
    return Has < Declared ? std::min(Own, Has) : Own;
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Array = A->getBase()->IgnoreParens();
    const auto *Decay = dyn_cast<ImplicitCastExpr>(Array);
    return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
               ? least(Decay->getSubExpr())
               : Own;
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getSubExpr()->isGLValue() && C->getCastKind() != CK_LValueBitCast
               ? least(C->getSubExpr())
               : Own;
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return std::min(least(C->getTrueExpr()), least(C->getFalseExpr()));
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref) {
    const auto *Of = dyn_cast<UnaryOperator>(U->getSubExpr()->IgnoreParens());
    return Of && Of->getOpcode() == UO_AddrOf ? least(Of->getSubExpr()) : Own;
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && !V->getType()->isReferenceType())
      return std::min<uint64_t>(Own, Context.getDeclAlign(V).getQuantity());
  return Own;
}

} // namespace kpipe
