// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precedence, see Precedence.h.

#include "Precedence.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace kpipe {

Binding bindingOf(BinaryOperatorKind Op) {
  switch (Op) {
  case BO_Mul:
  case BO_Div:
  case BO_Rem:
    return Binding::Multiplicative;
  case BO_Add:
  case BO_Sub:
    return Binding::Additive;
  case BO_Shl:
  case BO_Shr:
    return Binding::Shift;
  case BO_LT:
  case BO_GT:
  case BO_LE:
  case BO_GE:
    return Binding::Relational;
  case BO_EQ:
  case BO_NE:
    return Binding::Equality;
  case BO_And:
    return Binding::And;
  case BO_Xor:
    return Binding::Xor;
  case BO_Or:
    return Binding::Or;
  case BO_LAnd:
    return Binding::LogicalAnd;
  case BO_LOr:
    return Binding::LogicalOr;
  case BO_Comma:
    return Binding::Comma;
  default: // assignments; rarer ones get parentheses that nobody needs
    return Binding::Assignment;
  }
}

Binding bindingOf(const Expr *E) {
  E = E->IgnoreImplicit();
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return bindingOf(B->getOpcode());
  if (isa<ConditionalOperator, BinaryConditionalOperator>(E))
    return Binding::Assignment;
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return U->isPostfix() ? Binding::Primary : Binding::Unary;
  if (isa<CStyleCastExpr, UnaryExprOrTypeTraitExpr>(E))
    return Binding::Unary;
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E)) {
    switch (C->getOperator()) {
    case OO_Call:
    case OO_Subscript:
    case OO_Arrow:
      return Binding::Primary;
    default:
      return C->getNumArgs() == 1 ? Binding::Unary : Binding::Comma;
    }
  }
  if (isa<ParenExpr, DeclRefExpr, IntegerLiteral, FloatingLiteral,
          CharacterLiteral, CXXBoolLiteralExpr, CallExpr, MemberExpr,
          ArraySubscriptExpr, CXXFunctionalCastExpr, CXXNamedCastExpr,
          PseudoObjectExpr, SubstNonTypeTemplateParmExpr>(E))
    return Binding::Primary;
  return Binding::Comma;
}

std::string asOperand(std::string Text, Binding Its, Binding Least) {
  return Its < Least ? "(" + Text + ")" : Text;
}

} // namespace kpipe
