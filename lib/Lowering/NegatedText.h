// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition as text that holds where it does not: `k < K` for `k >= K`.
#ifndef KPIPE_LOWERING_NEGATEDTEXT_H
#define KPIPE_LOWERING_NEGATEDTEXT_H

#include "Emission/Precedence.h"
#include "Emission/SourceText.h"
#include <optional>
#include <string>

namespace kpipe {

struct NegatedText {
  std::string Text;
  Binding Binds = Binding::Unary;
};

/// Nothing where the condition is no text of the file, has line ends, or is an
/// object, whose `!` may be anybody's. \param Edits of its text.
std::optional<NegatedText> negated(const clang::Expr *Condition,
                                   const SourceText &Source,
                                   llvm::ArrayRef<TextEdit> Edits = {});

/// May a condition be negated, whatever its text?
bool isScalarCondition(const clang::Expr *Condition);

} // namespace kpipe

#endif // KPIPE_LOWERING_NEGATEDTEXT_H
