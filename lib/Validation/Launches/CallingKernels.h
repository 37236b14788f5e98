// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that run a function, by the text of the unit: for a loop in it
// what their launches ask for counts.
#ifndef KPIPE_LIB_VALIDATION_CALLINGKERNELS_H
#define KPIPE_LIB_VALIDATION_CALLINGKERNELS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace kpipe {

/// Reads every token of the unit's files, those too that conditions leave out.
/// \param F as written; itself if it is a kernel.
/// \returns the kernels as written; nothing if a mention of F, or of what calls
/// it, stands where no function with a body is known.
std::optional<llvm::SmallSetVector<const clang::FunctionDecl *, 2>>
kernelsByText(const clang::FunctionDecl *F, clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_CALLINGKERNELS_H
