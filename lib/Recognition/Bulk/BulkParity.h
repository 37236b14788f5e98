// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parity that a loop waits for at its mbarrier: 0, 1, 0, 1, as the phases
// of a barrier that one tile completes each.
#ifndef KPIPE_RECOGNITION_BULKPARITY_H
#define KPIPE_RECOGNITION_BULKPARITY_H

#include "Code/BulkOps.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// foreign-async: the parity of a wait is that of the turn, counted from 0.
void checkParity(LoopFacts &Facts, const BulkOp &Wait);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKPARITY_H
