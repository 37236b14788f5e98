// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mentions of a buffer that read one element by subscripts, and nothing else.
#ifndef KPIPE_RECOGNITION_ELEMENTREADS_H
#define KPIPE_RECOGNITION_ELEMENTREADS_H

#include "FlatPlaces.h"
#include "Recognition/Sums/PlacesInRows.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// The subscripts of an lvalue of B with all of its dimensions; empty if it is
/// none.
Subscripts subscriptsOf(const clang::Expr *E, const clang::VarDecl *B);

/// For each mention of B in S, a part of Function, the lvalue that names the
/// element; null if that is not all that is done.
/// \param Flat if given, what it knows are mentions and elements as well.
llvm::SmallVector<const clang::Expr *, 8>
elementsRead(const clang::Stmt *S, const clang::VarDecl *B,
             const clang::Stmt *Function, FlatPlaces *Flat = nullptr);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_ELEMENTREADS_H
