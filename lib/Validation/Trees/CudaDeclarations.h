// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions are known by their names.
#ifndef KPIPE_VALIDATION_CUDADECLARATIONS_H
#define KPIPE_VALIDATION_CUDADECLARATIONS_H

#include "clang/AST/Decl.h"

namespace kpipe {

/// A declaration of the compiler's, of the CUDA toolkit's, or of kpipe's own
/// stand-ins for it: only there a name says what a function does.
bool isCudas(const clang::FunctionDecl *F);

} // namespace kpipe

#endif // KPIPE_VALIDATION_CUDADECLARATIONS_H
