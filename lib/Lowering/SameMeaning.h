// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that was cut at one place and is written at another one, or that names
// what CUDA declares: does it mean the same there?
#ifndef KPIPE_LOWERING_SAMEMEANING_H
#define KPIPE_LOWERING_SAMEMEANING_H

#include "Code/AsyncOps.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// E is in an operation, or in the initialiser of a variable in front of it:
/// have its names the same values in the operation?
bool meansSame(const clang::Expr *E, const AsyncOp &In, const AsyncOps &Ops);

/// Is a name in a function what CUDA or the language says, for all that can be
/// seen: no macro, and nothing of the author's?
bool isCudas(llvm::StringRef Name, const clang::FunctionDecl *Body);

/// Does a name mean one thing in all of a body?
bool isDeclaredOnce(llvm::StringRef Name, const clang::Stmt *In);

} // namespace kpipe

#endif // KPIPE_LOWERING_SAMEMEANING_H
