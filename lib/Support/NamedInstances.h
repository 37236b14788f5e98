// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text behind a file by which --instantiate makes instances: it takes the
// addresses of kernels, launches none, and is in no output.
#ifndef KPIPE_LIB_SUPPORT_NAMEDINSTANCES_H
#define KPIPE_LIB_SUPPORT_NAMEDINSTANCES_H

#include "clang/AST/Decl.h"

namespace kpipe {

/// Is V such a text, as lib/Frontend writes it?
inline bool makesInstance(const clang::VarDecl *V) {
  return V->isFileVarDecl() && V->getDeclContext()->isTranslationUnit() &&
         V->getIdentifier() &&
         V->getName().starts_with("kpipe_instantiate_");
}

} // namespace kpipe

#endif // KPIPE_LIB_SUPPORT_NAMEDINSTANCES_H
