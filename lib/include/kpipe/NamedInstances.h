// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text behind a file by which --instantiate makes instances: it takes the
// addresses of kernels, launches none, and is in no output.
#ifndef KPIPE_NAMEDINSTANCES_H
#define KPIPE_NAMEDINSTANCES_H

#include "clang/AST/Decl.h"

namespace kpipe {

/// What the names of its variables begin with; a number follows.
inline constexpr llvm::StringLiteral InstanceName = "kpipe_instantiate_";

/// Is V such a variable?
inline bool makesInstance(const clang::VarDecl *V) {
  return V->isFileVarDecl() && V->getDeclContext()->isTranslationUnit() &&
         V->getIdentifier() && V->getName().starts_with(InstanceName);
}

} // namespace kpipe

#endif // KPIPE_NAMEDINSTANCES_H
