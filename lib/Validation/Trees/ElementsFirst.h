// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Are the elements of a local array surely written before statements read them?
// The validators' own walk, for arrays that both sides of a loop use.
#ifndef KPIPE_VALIDATION_ELEMENTSFIRST_H
#define KPIPE_VALIDATION_ELEMENTSFIRST_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kpipe {

/// Is V an array that nothing but the loop's body mentions?
bool isArrayOfLoop(const clang::VarDecl *V, const clang::Stmt *Loop,
                   const clang::FunctionDecl *Function,
                   const clang::ASTContext &Context);

/// \param Parts run in this order.
/// \param Runs says which of the accesses in them are made: an assignment, or
/// the mention of the array in what reads it.
bool elementsWrittenFirst(llvm::ArrayRef<const clang::Stmt *> Parts,
                          const clang::VarDecl *V,
                          const clang::ASTContext &Context,
                          llvm::function_ref<bool(const clang::Stmt *)> Runs);

} // namespace kpipe

#endif // KPIPE_VALIDATION_ELEMENTSFIRST_H
