// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How tightly an expression binds as it is written: what is pasted behind
// another operator gets parentheses where it may bind less. Knows no pipelines.
#ifndef KPIPE_EMISSION_PRECEDENCE_H
#define KPIPE_EMISSION_PRECEDENCE_H

#include "clang/AST/Expr.h"
#include <string>

namespace kpipe {

/// Levels of C++'s grammar, loosest first.
enum class Binding {
  Comma,
  Assignment, ///< and `?:`
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equality,
  Relational,
  Shift,
  Additive,
  Multiplicative,
  Unary,
  Primary ///< names, numbers, calls, subscripts, what has parentheses
};

/// That of a binary operator.
Binding bindingOf(clang::BinaryOperatorKind Op);

/// That of an expression's outermost operator; Comma where it cannot be told.
Binding bindingOf(const clang::Expr *E);

/// Text, which binds as Its says, as an operand of something that takes no
/// looser operand than Least.
std::string asOperand(std::string Text, Binding Its, Binding Least);

} // namespace kpipe

#endif // KPIPE_EMISSION_PRECEDENCE_H
