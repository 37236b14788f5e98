// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a function names a local variable: who reads it, who steps it, and whether
// anything else could.
#ifndef KPIPE_LOWERING_LOCALNAMES_H
#define KPIPE_LOWERING_LOCALNAMES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// How often V is named in S. \param S may be null.
unsigned timesNamed(const clang::Stmt *S, const clang::VarDecl *V);

/// Is V read in S and nothing else, not even captured?
bool onlyReads(const clang::Stmt *S, const clang::VarDecl *V);

/// A number or a pointer of Body's own that is only read, stepped by `v++` and
/// changed by statements: it has no second name.
bool hasOneName(const clang::VarDecl *V, const clang::Stmt *Body);

/// Does S name anything by a name that something in Body has as well?
bool namesOneOf(const clang::Stmt *S, const clang::Stmt *Body);

/// Does Body declare something by the name of V?
bool hasNameOf(const clang::Stmt *Body, const clang::VarDecl *V);

/// Does nothing but V have its name, or is called by it, in Body?
bool isOnlyName(const clang::VarDecl *V, const clang::Stmt *Body);

/// Does Body declare a variable of which one sees when it ends?
bool endsObjects(const clang::Stmt *Body);

} // namespace kpipe

#endif // KPIPE_LOWERING_LOCALNAMES_H
