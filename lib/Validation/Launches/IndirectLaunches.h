// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose bytes stand elsewhere: in a variable that configures them, or
// in a call of a function that makes them. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_INDIRECTLAUNCHES_H
#define KPIPE_LIB_VALIDATION_INDIRECTLAUNCHES_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Is what a name there means launched, by whatever way, and nothing else?
/// \param InStatement does the statement around the name ask for more?
/// \param Grown does an expression, as it is spelled, ask for more?
bool isLaunchedIndirectly(clang::SourceLocation Name, bool InStatement,
                          clang::ASTContext &Context,
                          llvm::function_ref<bool(clang::SourceRange)> Grown);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_INDIRECTLAUNCHES_H
