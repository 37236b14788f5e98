// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic operations of functions and instructions whose bodies say nothing:
// CUDA's intrinsics, wmma, inline PTX. Per thread; a warp's matrix product is
// spread over its 32 threads. Knows no loops.
#ifndef KPIPE_METRICS_OPERATIONS_H
#define KPIPE_METRICS_OPERATIONS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// Operations of one call of F, a function of the toolkit or one without a
/// body: multiply-add is two, a function of mathematics one, a conversion none.
double operationsOfCall(const clang::FunctionDecl *F);

/// Operations of one inline assembly statement, by opcode.
/// \param Text the assembly template as written.
double operationsOfAsm(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_METRICS_OPERATIONS_H
