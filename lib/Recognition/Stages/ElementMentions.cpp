// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ElementMentions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

Subscripts subscriptsOf(const Expr *E, const VarDecl *B) {
  Subscripts All;
  E = E->IgnoreParens();
  while (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    All.insert(All.begin(), A->getIdx());
    const auto *Decay =
        dyn_cast<ImplicitCastExpr>(A->getBase()->IgnoreParens());
    if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
      return {};
    E = Decay->getSubExpr()->IgnoreParens();
  }
  const auto *D = dyn_cast<DeclRefExpr>(E);
  QualType T = B->getType();
  for (size_t I = 0; I != All.size() && !T.isNull(); ++I) {
    const auto *A = T->getAsArrayTypeUnsafe();
    T = A ? A->getElementType() : QualType();
  }
  return D && D->getDecl() == B && !T.isNull() && !T->isArrayType()
             ? All
             : Subscripts();
}

bool MentionsOfBuffer::TraverseStmt(const Stmt *S) {
  Path.push_back(S);
  ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  Path.pop_back();
  return true;
}

bool MentionsOfBuffer::VisitDeclRefExpr(const DeclRefExpr *D) {
  if (D->getDecl() == B)
    Elements.push_back(elementAround());
  return true;
}

const Expr *MentionsOfBuffer::elementAround() const {
  const Expr *Element = nullptr;
  for (const Stmt *S : llvm::reverse(Path)) {
    const auto *E = dyn_cast<Expr>(S);
    if (!E)
      return nullptr;
    if (!Element) {
      if (isa<ArraySubscriptExpr>(E) && !subscriptsOf(E, B).empty())
        Element = E;
      else if (!isa<DeclRefExpr, ImplicitCastExpr, ParenExpr,
                    ArraySubscriptExpr>(E))
        return nullptr;
      continue;
    }
    if (isa<ParenExpr, MemberExpr>(E))
      continue;
    const auto *C = dyn_cast<ImplicitCastExpr>(E);
    if (C && C->getCastKind() == CK_NoOp)
      continue;
    const auto *Copy = dyn_cast<CXXConstructExpr>(E);
    const bool Reads = (C && C->getCastKind() == CK_LValueToRValue) ||
                       (Copy && Copy->getConstructor()->isCopyConstructor() &&
                        Copy->getConstructor()->isTrivial());
    return Reads ? Element : nullptr;
  }
  return nullptr;
}

} // namespace kpipe
