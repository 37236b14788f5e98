// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A staged buffer that is used outside the loop as well: may what it holds be
// copied to all stages before the loop, and the last tile to the first stage
// behind it? In between each stage then holds what the one buffer would.
#ifndef KPIPE_RECOGNITION_KEPTCONTENTS_H
#define KPIPE_RECOGNITION_KEPTCONTENTS_H

#include "Recognition/Body/LoopFacts.h"
#include "StageNames.h"

namespace kpipe {

/// Why it may not, as a clause; empty if it may.
/// \param Outside the mentions of B that stand outside the loop.
Message whyNotCopied(const LoopFacts &Facts, const StagedBuffer &B,
                     llvm::ArrayRef<Mention> Outside);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_KEPTCONTENTS_H
