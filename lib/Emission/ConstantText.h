// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant as a constant expression that another place understands: names
// that are not known there, and variables that C++ does not count as constants,
// stand for what they were initialised with.
#ifndef KPIPE_EMISSION_CONSTANTTEXT_H
#define KPIPE_EMISSION_CONSTANTTEXT_H

#include "Code/Values.h"
#include "Precedence.h"
#include "SourceText.h"
#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace kpipe {

/// A constant expression, and how it was come by.
struct ConstantText {
  std::string Text;
  Binding Binds = Binding::Primary;
  /// It differs from what the author wrote.
  bool Replaced = false;
};

/// \param E known to be constant.
/// \param Scope a statement outside of which the text is to be used.
/// \param Block what `blockDim` is, where that is known.
/// Nothing if there is no such text: of functions that C++ does not evaluate,
/// of sizes that are known from launches only, of macros' own text.
std::optional<ConstantText> constantText(const clang::Expr *E,
                                         const clang::Stmt *Scope,
                                         std::optional<Extent3> Block,
                                         const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_EMISSION_CONSTANTTEXT_H
