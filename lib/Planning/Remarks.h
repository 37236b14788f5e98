// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning says of a loop in whatever form. Private to lib/Planning.
#ifndef KPIPE_PLANNING_REMARKS_H
#define KPIPE_PLANNING_REMARKS_H

#include "Planner.h"

namespace kpipe {

/// The block's threads, and what else the budget rests on.
void sayBlock(const PlanRequest &R, PipelinePlan &Plan);

/// What has to become of launches that are not seen.
Message howToGrow(const PlanRequest &R, unsigned Stages);

/// The launches ask for the bytes of all stages.
void sayGrown(const PlanRequest &R, PipelinePlan &Plan);

/// Of plain tiles that wgmma read: whether a group stays in flight.
void sayMatrix(const TileLoop &Loop, PipelinePlan &Plan);

} // namespace kpipe

#endif // KPIPE_PLANNING_REMARKS_H
