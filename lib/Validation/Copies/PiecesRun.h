// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs both branches of remapped copies for all threads of a block, in a few
// tiles of a few problems: which words of shared memory they fill from where.
// Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_PIECESRUN_H
#define KPIPE_LIB_VALIDATION_PIECESRUN_H

#include "RemappedCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <array>

namespace kpipe {

/// Do both branches fill the same words from the same places wherever the
/// condition holds, each once, and are all pieces aligned there?
bool bringTheSame(const clang::ASTContext &Context,
                  const clang::FunctionDecl *F, const RemappedBranch &Branch,
                  std::array<unsigned, 3> Block);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_PIECESRUN_H
