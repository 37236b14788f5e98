// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that begin and end somewhere else in each block or tile, and are
// as long everywhere: `for (i = h + threadIdx.x; i < h + W; i += T)`.
#ifndef KPIPE_RECOGNITION_COPYSPANS_H
#define KPIPE_RECOGNITION_COPYSPANS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Counts what can be counted so: sets CopyLoop::SharesStart and its Trips.
void countCopySpans(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COPYSPANS_H
