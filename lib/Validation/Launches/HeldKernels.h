// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in local variables: `auto k = gemm<64>; k<<<…>>>(…);`. Private to the
// validation.
#ifndef KPIPE_LIB_VALIDATION_HELDKERNELS_H
#define KPIPE_LIB_VALIDATION_HELDKERNELS_H

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Is what a name there means only kept in local variables that nothing
/// changes, and each of which is only launched, or given to what sets an
/// attribute? \param Changed is it a launch that asks for more?
bool isHeldForLaunches(clang::SourceLocation Name, clang::ASTContext &Context,
                       llvm::function_ref<bool(clang::SourceRange)> Changed);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_HELDKERNELS_H
