// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComputesOnly.h"
#include "KnownFunctions.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

/// A function of the author's that is an expression by another name.
static bool returnsOnly(const FunctionDecl *F, unsigned Depth) {
  const FunctionDecl *Body = nullptr;
  const auto *Block =
      F->hasBody(Body) ? dyn_cast<CompoundStmt>(Body->getBody()) : nullptr;
  if (!Block || Block->size() != 1 || isa<CXXMethodDecl>(Body))
    return false;
  const auto *R = dyn_cast<ReturnStmt>(Block->body_front());
  return R && R->getRetValue() && computesOnly(R->getRetValue(), Depth + 1);
}

bool computesOnly(const Expr *E, unsigned Depth) {
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E); P && isSpecialRegister(P))
    return true;
  bool Plain = isa<DeclRefExpr, IntegerLiteral, FloatingLiteral,
                   CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, CharacterLiteral,
                   ParenExpr, ArraySubscriptExpr, MemberExpr,
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
    Plain = F && (classifyCall(F) == CallKind::Pure ||
                  (Depth < 4 && returnsOnly(F, Depth)));
  }
  if (!Plain || E->getType().isVolatileQualified())
    return false;
  return llvm::all_of(E->children(), [Depth](const Stmt *Child) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    return !Child || (Part && computesOnly(Part, Depth));
  });
}

} // namespace kpipe
