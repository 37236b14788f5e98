// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Legality: every rule that says when a recognised loop may be pipelined, one
// function per rule, in the order in which they are reported. A rule that
// cannot be decided is violated. Knows no variants, stages or architectures.
#ifndef KPIPE_LEGALITY_LEGALITY_H
#define KPIPE_LEGALITY_LEGALITY_H

#include "Options/Directives.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// All violated rules of a loop, ordered by rule, then by place; those that
/// recognition found included. Empty means legal.
llvm::SmallVector<Obstacle, 4> checkLegality(const LoopFacts &Facts,
                                            const Directives &Asked);

} // namespace kpipe

#endif // KPIPE_LEGALITY_LEGALITY_H
