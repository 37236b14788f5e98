// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is written in the place of a call: its tokens, laid out anew with
// marks for the lines, as the lines of the text around it stay where they are.
#ifndef KPIPE_LOWERING_FLATTEXT_H
#define KPIPE_LOWERING_FLATTEXT_H

#include "Emission/SourceText.h"

namespace kpipe {

/// A token as it is written, and whether it stands apart from the one before.
struct TextToken {
  std::string Text;
  bool Apart = false;
  bool Identifier = false;
};

using TextTokens = std::vector<TextToken>;

/// The tokens of a text without comments; pragmas become `_Pragma`. Empty where
/// there is another directive in it.
std::optional<TextTokens> tokensOf(llvm::StringRef Text,
                                   const clang::LangOptions &Language);

/// Statements on lines of their own, by marks; the first where the text begins.
std::string laidOut(const TextTokens &Tokens);

} // namespace kpipe

#endif // KPIPE_LOWERING_FLATTEXT_H
