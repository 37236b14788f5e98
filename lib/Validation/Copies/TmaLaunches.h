// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a kernel in both texts: those of the new one give what the
// author's give, and a map for each matrix behind it. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_TMALAUNCHES_H
#define KPIPE_LIB_VALIDATION_TMALAUNCHES_H

#include "TmaRun.h"

namespace kpipe {

/// What all launches say of the matrices; nothing where they differ from the
/// author's, or among each other.
std::optional<std::vector<TmaMatrix>>
matricesOfLaunches(clang::ASTContext &Author, const clang::FunctionDecl *F,
                   clang::ASTContext &Engine, const clang::FunctionDecl *G,
                   const TmaCode &Code);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TMALAUNCHES_H
