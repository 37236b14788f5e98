// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of legality, each in the file of its idea. Each appends what it
// finds wrong with a loop; called by Legality.cpp only.
#ifndef KPIPE_LEGALITY_RULES_H
#define KPIPE_LEGALITY_RULES_H

#include "Options/Directives.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

using Findings = llvm::SmallVectorImpl<Obstacle>;
using Rule = void(const LoopFacts &Facts, const Directives &Asked,
                  Findings &Out);

/// control-flow: nothing leaves load or compute midway.
Rule controlFlow;

/// carried-scalar: nothing that the load or the header reads is changed by a
/// store whose target cannot be traced.
Rule hiddenWrites;

/// carried-shared: the load reads no shared memory that the loop writes. What
/// the compute reads to make a scalar that the load needs is carried-scalar.
Rule carriedShared;

/// shared-escape: staged memory stays within code that was analysed.
Rule sharedEscape;

/// other-shared: code that moves behind the first barrier reads no shared
/// array that the loop writes.
Rule otherShared;

/// may-alias: no store of the loop touches what the load reads. The promise
/// that stores never meet the loads of other iterations says nothing of one
/// iteration, where the barrier orders a read before the compute's stores.
Rule mayAlias;

/// load-effects: the load does nothing but fill staged buffers.
Rule loadEffects;

/// sync-order: only block barriers order memory in the body.
Rule syncOrder;

/// foreign-async: no asynchronous copies of the author's own are in flight.
Rule foreignAsync;

/// uniform-barrier: no other barrier of the function is paired with this loop's
/// barriers by count, as where the halves of a block take different branches.
Rule uniformBarrier;

} // namespace kpipe

#endif // KPIPE_LEGALITY_RULES_H
