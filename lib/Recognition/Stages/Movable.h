// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which staged arrays can move from static to dynamic shared memory.
#ifndef KPIPE_RECOGNITION_MOVABLE_H
#define KPIPE_RECOGNITION_MOVABLE_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Decides for each buffer whether its declaration can become a part of dynamic
/// shared memory (StagedBuffer::NotDynamic).
void findMovable(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_MOVABLE_H
