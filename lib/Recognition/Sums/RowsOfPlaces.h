// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flat places of small rows: `s[3 * t + c]` is in row t, whatever c below 3 is.
#ifndef KPIPE_RECOGNITION_ROWSOFPLACES_H
#define KPIPE_RECOGNITION_ROWSOFPLACES_H

#include "SteadySums.h"

namespace kpipe {

/// Lengths that the rows of a place may have, as the place is written; 1 among
/// them, the first.
llvm::SmallVector<int64_t, 4> rowLengths(const Sum &Place);

/// The row of a place: Place / Length, where what is left is known to be none
/// of it. \param Around the loops around the place.
/// \param Block the size of every block, if that is certain.
SteadySum rowOf(const SteadySum &Place, int64_t Length,
                llvm::ArrayRef<const clang::ForStmt *> Around, SteadySums &Sums,
                std::optional<Extent3> Block);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_ROWSOFPLACES_H
