// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known mistakes of loops that are staged by hand: seen in runs with several
// numbers of tiles, and told only where nothing was left out of these runs.
#ifndef KPIPE_HANDSTAGED_STAGINGMISTAKES_H
#define KPIPE_HANDSTAGED_STAGINGMISTAKES_H

#include "HandStaged.h"
#include "kpipe/Obstacle.h"

namespace kpipe {

llvm::SmallVector<Obstacle, 2> findStagingMistakes(const TraceOf &Of,
                                                   const HandStaging &Staging);

} // namespace kpipe

#endif // KPIPE_HANDSTAGED_STAGINGMISTAKES_H
