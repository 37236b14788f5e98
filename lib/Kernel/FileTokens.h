// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens of a file before the preprocessor.
#ifndef KPIPE_KERNEL_FILETOKENS_H
#define KPIPE_KERNEL_FILETOKENS_H

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Every token of a stretch of a file, as it stands there.
void eachToken(const clang::ASTContext &Context, clang::FileID File,
               unsigned From, unsigned To,
               llvm::function_ref<void(const clang::Token &)> Visit);

} // namespace kpipe

#endif // KPIPE_KERNEL_FILETOKENS_H
