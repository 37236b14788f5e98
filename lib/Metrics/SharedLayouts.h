// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the block's threads touch the rows of the staged arrays, lane by lane,
// and whether rows may become longer without a change of meaning. Knows no
// architectures and no plans.
#ifndef KPIPE_METRICS_SHAREDLAYOUTS_H
#define KPIPE_METRICS_SHAREDLAYOUTS_H

#include "Code/Values.h"
#include "Intensity.h"
#include "Recognition/Body/LoopFacts.h"
#include "kpipe/SharedLayout.h"

namespace kpipe {

/// What is known of the blocks that run the loop.
struct BlocksOfLoop {
  /// The one that lanes are counted with.
  BlockSize Largest;
  /// No block has more threads on an axis.
  Extent3 Most{1024, 1024, 64};
  /// All blocks are of this shape; empty if that is not known.
  std::optional<Extent3> Only;
};

/// One for each buffer of the loop, in their order. Rows may become longer only
/// where every use of the array in the function is followed to its end, stays
/// inside one row for every thread and iteration, and either asks for no
/// distance of rows or for one that can be rewritten.
std::vector<SharedLayout> findSharedLayouts(const LoopFacts &Facts,
                                            const BlocksOfLoop &Blocks);

} // namespace kpipe

#endif // KPIPE_METRICS_SHAREDLAYOUTS_H
