// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a staged buffer a tile takes, where that is less than all of it:
// a block that is sized for what follows the loop may hold several tiles.
#ifndef KPIPE_METRICS_TILEREACH_H
#define KPIPE_METRICS_TILEREACH_H

#include "Code/Ranges.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Bytes from the beginning of Tile.Buffers[Buffer] behind which no copy of a
/// tile stores anything; nothing where that cannot be told.
/// \param Known what is known of all threads.
/// \param Axes most threads of a block on each axis.
std::optional<uint64_t> tileReach(const LoopFacts &Facts, unsigned Buffer,
                                  Values &Known, Extent3 Axes);

} // namespace kpipe

#endif // KPIPE_METRICS_TILEREACH_H
