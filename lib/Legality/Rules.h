// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of legality that have a file of their own. Each appends its findings;
// called by Legality.cpp only.
#ifndef KPIPE_LEGALITY_RULES_H
#define KPIPE_LEGALITY_RULES_H

#include "Options/Directives.h"
#include "Recognition/LoopFacts.h"

namespace kpipe {

/// carried-scalar: nothing that the load or the header reads is changed by a
/// store whose target cannot be traced.
void hiddenWrites(const LoopFacts &Facts, const Directives &Asked,
                  llvm::SmallVectorImpl<Finding> &Out);

/// uniform-barrier: no other barrier of the function is paired with this loop's
/// barriers by count, as where the halves of a block take different branches.
void uniformBarrier(const LoopFacts &Facts, const Directives &Asked,
                    llvm::SmallVectorImpl<Finding> &Out);

} // namespace kpipe

#endif // KPIPE_LEGALITY_RULES_H
