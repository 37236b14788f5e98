// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches of `if constexpr` that some instances of a template discard.
#ifndef KPIPE_LOWERING_DISCARDEDBRANCHES_H
#define KPIPE_LOWERING_DISCARDEDBRANCHES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// May the branches of If, as they are written, be nothing that nvcc takes for
/// an instance that discards them? Such as an array without elements, or braces
/// that narrow, where Clang alone compiled what was made of it.
/// \param Body the instance that If is in.
bool mayNotCompile(const clang::IfStmt *If, const clang::FunctionDecl *Body);

} // namespace kpipe

#endif // KPIPE_LOWERING_DISCARDEDBRANCHES_H
