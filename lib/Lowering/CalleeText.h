// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a closure or of a member function as it would stand in the place
// of a call: parameters are variables of a block, references what they are
// bound to, and members those of the object.
#ifndef KPIPE_LOWERING_CALLEETEXT_H
#define KPIPE_LOWERING_CALLEETEXT_H

#include "FlatText.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// The closure that a call calls by a local variable's name, whose initialiser
/// it is; null for any other.
const clang::LambdaExpr *closureOf(const clang::CallExpr *C);
/// That variable.
const clang::VarDecl *closureVariable(const clang::CallExpr *C);

/// \param NewName a name that is free in the function, made of another one.
/// \returns none where the body returns, jumps, has closures or variables that
/// live on, or says `this` otherwise than for a member.
std::optional<TextTokens>
calleeText(const clang::CallExpr *C, const SourceText &Source,
           llvm::function_ref<std::string(llvm::StringRef)> NewName);

} // namespace kpipe

#endif // KPIPE_LOWERING_CALLEETEXT_H
