// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop with a barrier does that loads no tile: what its author did by
// hand, as far as that is seen in statements.
#ifndef KPIPE_RECOGNITION_NOTILE_H
#define KPIPE_RECOGNITION_NOTILE_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// False: no tile is loaded. Says so, and where one may be in a way that is not
/// followed. \param Barriers the items that are barriers, of which there are
/// some.
bool saysNoTile(LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_NOTILE_H
