// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tokens of a text as Clang's lexer sees them before the preprocessor, for
// work on lines that must not break a string or a comment.
#ifndef KPIPE_TOOL_REWRITE_RAWTOKENS_H
#define KPIPE_TOOL_REWRITE_RAWTOKENS_H

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace kpipe {

struct RawToken {
  size_t Offset, Length;
  clang::tok::TokenKind Kind;
  bool BeginsLine; ///< nothing but space in front of it in its line
  size_t end() const { return Offset + Length; }
};

/// \param Comments whether comments are tokens too.
std::vector<RawToken> rawTokens(llvm::StringRef Text, bool Comments = false);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_RAWTOKENS_H
