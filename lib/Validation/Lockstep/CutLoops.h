// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that end where the stored array does, whatever bound the author
// gave them: all that is left out must have been stores behind its end. Private
// to the validation.
#ifndef KPIPE_LIB_VALIDATION_CUTLOOPS_H
#define KPIPE_LIB_VALIDATION_CUTLOOPS_H

#include "Validation/Trees/Tree.h"
#include "kpipe/TileLoop.h"

namespace kpipe {

/// May the loop \p For end after the turns that \p L counts?
/// \param Within the call whose helper it stands in, or null.
bool mayBeCut(const CopyLoop &L, const Tree &For, const TileLoop &Loop,
              const clang::CallExpr *Within, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_CUTLOOPS_H
