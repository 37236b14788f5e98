// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of a local array that counted loops go through.
#ifndef KPIPE_RECOGNITION_OWNPLACES_H
#define KPIPE_RECOGNITION_OWNPLACES_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// Has Place, a part of V, bytes of its own in each turn of the loops?
bool hasOwnPlaces(const clang::Expr *Place, const clang::VarDecl *V,
                  llvm::ArrayRef<CopyLoop> Loops,
                  const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_OWNPLACES_H
