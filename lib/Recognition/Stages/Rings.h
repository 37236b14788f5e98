// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which staged buffers can be a ring of stages, and which keep their contents
// exactly only as a single buffer.
#ifndef KPIPE_RECOGNITION_RINGS_H
#define KPIPE_RECOGNITION_RINGS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Decides for each buffer whether it may become a ring (StagedBuffer::NoRing)
/// and the alignment that accesses rely on.
void findRings(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_RINGS_H
