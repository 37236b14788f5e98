// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other threads bring an element when copies are remapped: nobody may rely on
// having stored it himself.
#ifndef KPIPE_REMAP_OWNELEMENTS_H
#define KPIPE_REMAP_OWNELEMENTS_H

#include "Boxes/TileBox.h"

namespace kpipe {

/// Why a box's array may be used by a thread that knows nothing of other
/// threads' copies, as a clause; empty: a barrier of the block is between all
/// other uses and the copies.
Message otherUse(const LoopFacts &Facts, const TileBox &Box);

} // namespace kpipe

#endif // KPIPE_REMAP_OWNELEMENTS_H
