// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that end elsewhere than at the end of their kernel or at a `return`.
#ifndef KPIPE_CODE_THREADENDS_H
#define KPIPE_CODE_THREADENDS_H

#include "clang/AST/Stmt.h"

namespace kpipe {

/// May assembly in S, or in what is called there, end the thread that runs it?
/// Of calls that are not seen it is not known; those of the toolkit do not.
bool mayEndThread(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_CODE_THREADENDS_H
