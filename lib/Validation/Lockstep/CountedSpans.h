// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that are counted by how far their end is from their beginning, of
// which both are known for no tile. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_COUNTEDSPANS_H
#define KPIPE_LIB_VALIDATION_COUNTEDSPANS_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// Does the loop of \p L end after the turns that it counts, at the latest?
bool endsInTime(const CopyLoop &L, const TileLoop &Loop,
                const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_COUNTEDSPANS_H
