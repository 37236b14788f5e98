// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of which each turn has the copy engine bring one tile, waits for it at
// an mbarrier, and computes: the first form of a Hopper kernel. Knows neither
// plans nor text.
#ifndef KPIPE_RECOGNITION_BULKLOOPS_H
#define KPIPE_RECOGNITION_BULKLOOPS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Does the body of a loop issue bulk copies and wait at one mbarrier, which is
/// a variable of its own? Rings by hand have an array of them.
bool isBulkLoop(const clang::Stmt *Loop, const clang::ASTContext &Context);

/// Fills in what such a loop is.
/// \pre Facts has function, loop and scope.
void recogniseBulk(LoopFacts &Facts);

/// foreign-async: what stands in the way of running its copies ahead, as far as
/// that is seen in statements one by one.
void findBulkObstacles(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BULKLOOPS_H
