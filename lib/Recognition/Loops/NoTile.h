// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop with a barrier does that loads no tile: what its author did by
// hand, as far as that is seen in statements.
#ifndef KPIPE_RECOGNITION_NOTILE_H
#define KPIPE_RECOGNITION_NOTILE_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// \param Barriers the items that are barriers.
Message whyNoTile(const LoopFacts &Facts, llvm::ArrayRef<unsigned> Barriers);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_NOTILE_H
