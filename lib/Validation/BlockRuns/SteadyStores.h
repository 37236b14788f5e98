// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that can be read off to store the same elements in every tile: their
// places and conditions are made of what no tile changes. Most are so, and need
// not be run to find out.
#ifndef KPIPE_VALIDATION_STEADYSTORES_H
#define KPIPE_VALIDATION_STEADYSTORES_H

#include "Validation/Interpreter/WayToLoop.h"
#include "llvm/ADT/DenseSet.h"

namespace kpipe {

/// Does a thread that runs the loop once store the same in each tile? False if
/// that is not plain to see.
/// \param Items statements of the loop's body that are run.
/// \param Watched the stores of the load.
bool storesAreSteady(const TileLoop &Loop, const Statements &Items,
                     const llvm::DenseSet<const clang::Expr *> &Watched,
                     const clang::ASTContext &Context);

/// Do the copies that one thread issues go to the same places in each tile, and
/// on the same conditions? False if that is not plain to see.
bool copiesAreSteady(const TileLoop &Loop, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_VALIDATION_STEADYSTORES_H
