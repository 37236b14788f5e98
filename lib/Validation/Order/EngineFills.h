// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the copy engine bring every byte of an array in each tile? What threads
// store to it besides is then a matter of one tile. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_ENGINEFILLS_H
#define KPIPE_LIB_VALIDATION_ENGINEFILLS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// An instruction of the copy engine's, or libcu++'s call of one.
bool ofCopyEngine(const clang::Stmt *At);

/// \param Issue the statement whose one thread issues, by kpipe::load_row()
/// with places and lengths that are constants.
bool engineFills(const clang::VarDecl *Array, const clang::Stmt *Issue,
                 const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_ENGINEFILLS_H
