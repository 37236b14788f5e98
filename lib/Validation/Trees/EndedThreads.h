// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that end elsewhere than at the end of their kernel or at a `return`:
// the validators' own walk. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ENDEDTHREADS_H
#define KPIPE_LIB_VALIDATION_ENDEDTHREADS_H

#include "clang/AST/Stmt.h"

namespace kpipe {

/// Does assembly somewhere below S, or in what is called there, end threads?
bool endsThreads(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ENDEDTHREADS_H
