// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of functions and arguments of calls as lists in a text, of which
// some are left out and to which one is added. Knows nothing of what they are
// for.
#ifndef KPIPE_EMISSION_ARGUMENTLISTS_H
#define KPIPE_EMISSION_ARGUMENTLISTS_H

#include "SourceText.h"
#include "clang/AST/Decl.h"

namespace kpipe {

struct TextList {
  std::vector<Range> Items; ///< arguments by default are none
  unsigned Open = 0;        ///< behind the bracket
  unsigned Close = 0;
  /// Nothing but commas and space stands between the items, so that any of them
  /// can be left out: no comment that may be of one, no attribute, no macro.
  bool Plain = true;
};

/// Empty where a macro hides the brackets.
std::optional<TextList> parameterList(const clang::FunctionDecl *Written,
                                      const SourceText &Its);
std::optional<TextList> argumentList(const clang::CallExpr *Call,
                                     const SourceText &Source);

/// The edits that leave items out, Gone by their numbers, and put New, if it is
/// not empty, in front of the item with the number At or behind all.
std::vector<Edit> editList(const TextList &List, llvm::ArrayRef<unsigned> Gone,
                           unsigned At, llvm::StringRef New);

} // namespace kpipe

#endif // KPIPE_EMISSION_ARGUMENTLISTS_H
