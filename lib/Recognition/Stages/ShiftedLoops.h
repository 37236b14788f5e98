// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around a store that begin elsewhere in each tile, as far from there as
// the place that is stored: `for (i = k + t; …; i += T) s[i - k] = x[i]`.
#ifndef KPIPE_RECOGNITION_SHIFTEDLOOPS_H
#define KPIPE_RECOGNITION_SHIFTEDLOOPS_H

#include "Recognition/Sums/PathConditions.h"
#include "Recognition/Sums/SteadySums.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kpipe {

/// Is each subscript the same in all tiles, for each turn of the loops counted
/// from the first? \param Loops around the place, the outermost first.
bool placesComeAgain(llvm::ArrayRef<const clang::Expr *> Subscripts,
                     llvm::ArrayRef<const clang::ForStmt *> Loops,
                     const VarSet &Variant, SteadySums &Sums);

/// Does each of the loops make as many turns in all tiles?
bool turnAlike(llvm::ArrayRef<const clang::ForStmt *> Loops,
               const VarSet &Variant, SteadySums &Sums);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_SHIFTEDLOOPS_H
