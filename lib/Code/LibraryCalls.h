// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the user's that templates of a library call: `sort(first, last,
// less)`. The index of calls leaves libraries out.
#ifndef KPIPE_CODE_LIBRARYCALLS_H
#define KPIPE_CODE_LIBRARYCALLS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// Adds the functions that instantiations of a library's templates name.
/// \param D a declaration of a system header, with all that is in it.
void takeCallsOfLibrary(
    const clang::Decl *D,
    llvm::SmallPtrSetImpl<const clang::FunctionDecl *> &Named);

} // namespace kpipe

#endif // KPIPE_CODE_LIBRARYCALLS_H
