// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets in the layouts of classes, see PlacesAligned.h.
#include "PlacesAligned.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace kpipe {

/// Are the places below E, from the pointer or name that they begin at, at
/// multiples of the bytes?
static bool isMultiple(const Expr *E, int64_t Bytes,
                       const ASTContext &Context) {
  for (;;) {
    E = E->IgnoreParens();
    const QualType T = E->getType().getNonReferenceType();
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      if (C->getCastKind() == CK_LValueToRValue)
        return true; // a pointer's own value
      E = C->getSubExpr();
    } else if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
      if (!A->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        return Context.getTypeAlignInChars(T).getQuantity() % Bytes == 0;
      E = A->getBase();
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (!F || F->getType()->isReferenceType())
        return true;
      const ASTRecordLayout &L = Context.getASTRecordLayout(F->getParent());
      const int64_t Bits = L.getFieldOffset(F->getFieldIndex());
      const QualType Class = M->isArrow()
                                 ? M->getBase()->getType()->getPointeeType()
                                 : M->getBase()->getType();
      // Objects follow one another by the class's size.
      if (Bits % (Bytes * 8) || L.getAlignment().getQuantity() % Bytes ||
          Context.getTypeAlignInChars(Class).getQuantity() % Bytes)
        return false;
      if (M->isArrow())
        return true;
      E = M->getBase();
    } else if (isa<UnaryOperator>(E)) {
      return Context.getTypeAlignInChars(T).getQuantity() % Bytes == 0;
    } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      return !V || V->getType()->isReferenceType() ||
             Context.getDeclAlign(V).getQuantity() % Bytes == 0 ||
             !V->hasAttr<PackedAttr>();
    } else {
      return true;
    }
  }
}

bool isWellAligned(const Expr &E, const ASTContext &Context) {
  const QualType T = E.getType().getNonReferenceType();
  const QualType Plain = Context.getCanonicalType(T);
  const int64_t Bytes = Context.getTypeSizeInChars(Plain).getQuantity();
  // What the type itself does not promise is asked of the types elsewhere.
  return Bytes == 0 ||
         Context.getTypeAlignInChars(Plain).getQuantity() < Bytes ||
         isMultiple(E.IgnoreParenImpCasts(), Bytes, Context);
}

} // namespace kpipe
