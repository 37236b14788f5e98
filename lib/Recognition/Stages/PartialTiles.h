// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that the last turns of a loop store a part of, and read that part of
// alone: `if (t + i < n) xs[i] = x[t + i];`, and then
// `for (j = 0; j < min(T, n - t); ++j)`. What such a tile leaves out nobody
// looks at, so it may be anything, and the tile may be a stage of a ring.
#ifndef KPIPE_RECOGNITION_PARTIALTILES_H
#define KPIPE_RECOGNITION_PARTIALTILES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Are all elements of B that a tile reads among those that it stores, whatever
/// the conditions leave out that differ from tile to tile?
/// \param Variant what differs from tile to tile, in this run or in another.
bool readsOnlyWhatItStores(const LoopFacts &Facts, const StagedBuffer &B,
                           const VarSet &Variant);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PARTIALTILES_H
