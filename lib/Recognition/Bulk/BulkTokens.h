// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The token that a loop waits for at its mbarrier: what this turn's arrival
// gave.
#ifndef KPIPE_RECOGNITION_BULKTOKENS_H
#define KPIPE_RECOGNITION_BULKTOKENS_H

#include "Code/BulkOps.h"
#include "Recognition/Body/MatrixFlight.h"

namespace kpipe {

/// foreign-async: the token of a wait is a variable that each arrival of the
/// turn at the same mbarrier sets, and that nothing else names.
void checkToken(LoopFacts &Facts, const BulkOp &Wait, const BulkOpsOfItems &Ops);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKTOKENS_H
