// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do all threads of a block come to a statement? Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ALLCOME_H
#define KPIPE_LIB_VALIDATION_ALLCOME_H

#include "CodeIndex.h"

namespace kpipe {

/// To At in F, and from the kernels on to F.
bool allCome(const clang::Stmt *At, const clang::FunctionDecl *F,
             const CodeIndex &Index, unsigned Depth = 0);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ALLCOME_H
