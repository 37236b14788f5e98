// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The short loops of a compute region that --unroll=compute unrolls.
#ifndef KPIPE_RECOGNITION_COMPUTELOOPS_H
#define KPIPE_RECOGNITION_COMPUTELOOPS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Fills Tile.Unrollable.
void findUnrollable(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COMPUTELOOPS_H
