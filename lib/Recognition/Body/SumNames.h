// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Are the sums of wgmma known by their own names alone? What another name
// reaches would be read, or written, while wgmma adds to it. Knows nothing of
// tiles.
#ifndef KPIPE_RECOGNITION_SUMNAMES_H
#define KPIPE_RECOGNITION_SUMNAMES_H

#include "Code/Effects.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// May the loop be run again in one run of its function? Else no name that is
/// made behind it reaches into it.
bool mayRunAgain(const clang::Stmt *Loop, const clang::FunctionDecl *F);

/// May the loop, a statement of F, reach one of the sums, which F declares, by
/// another name than its own? Whatever is done with a name but to read a value,
/// to assign one, or to give it to a function that does no more, makes another
/// one. \param Products are not looked into.
bool haveSecondName(const VarSet &Sums, const clang::FunctionDecl *F,
                    const clang::Stmt *Loop,
                    llvm::ArrayRef<const clang::Stmt *> Products);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SUMNAMES_H
