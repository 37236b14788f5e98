// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in tokens that no preprocessor has looked at.
#ifndef KPIPE_SUPPORT_RAWNAMES_H
#define KPIPE_SUPPORT_RAWNAMES_H

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Token.h"

namespace kpipe {

/// The name that a raw token is: without breaks of the line in it, and with the
/// characters that its universal names (`\u00e9`) stand for. Lives as long as
/// the context.
llvm::StringRef rawName(const clang::Token &T,
                        const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_SUPPORT_RAWNAMES_H
