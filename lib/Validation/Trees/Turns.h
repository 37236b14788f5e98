// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the turns of counted loops with numbers. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_TURNS_H
#define KPIPE_LIB_VALIDATION_TURNS_H

#include "Tree.h"
#include "llvm/ADT/ArrayRef.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace kpipe {

/// Do no two turns of the loops, outermost first, name one byte of a local
/// variable by the place? No, where a number is not known.
bool turnsAreApart(llvm::ArrayRef<const Tree *> Loops, const Tree &Place,
                   const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_TURNS_H
