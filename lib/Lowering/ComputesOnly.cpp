// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComputesOnly.h"
#include "Code/KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool computesOnly(const Expr *E) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E); P && isSpecialRegister(P))
    return true;
  bool Plain =
      isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
          CharacterLiteral, ParenExpr, ArraySubscriptExpr, MemberExpr,
          ConditionalOperator, UnaryExprOrTypeTraitExpr, CXXThisExpr,
          SubstNonTypeTemplateParmExpr, ConstantExpr>(E);
  if (const auto *C = dyn_cast<CastExpr>(E))
    Plain = C->getCastKind() != CK_UserDefinedConversion &&
            C->getCastKind() != CK_ConstructorConversion;
  else if (const auto *B = dyn_cast<BinaryOperator>(E))
    Plain = !B->isAssignmentOp();
  else if (const auto *U = dyn_cast<UnaryOperator>(E))
    Plain = !U->isIncrementDecrementOp();
  else if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = C->getDirectCallee();
    Plain = F && classifyCall(F) == CallKind::Pure;
  }
  if (!Plain || E->getType().isVolatileQualified())
    return false;
  return llvm::all_of(E->children(), [](const Stmt *Child) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    return !Child || (Part && computesOnly(Part));
  });
}

} // namespace kpipe
