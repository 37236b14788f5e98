// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that a block runs more than once: what is the same in all tiles of one
// run may differ from run to run.
#ifndef KPIPE_RECOGNITION_OTHERRUNS_H
#define KPIPE_RECOGNITION_OTHERRUNS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Facts.Variant, and what differs between the tiles of two runs of the loop:
/// an element that a tile does not store holds what the run before left there.
/// The arrays that calls give (StagedBuffer::Given) must have been found.
VarSet variantInAllRuns(const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_OTHERRUNS_H
