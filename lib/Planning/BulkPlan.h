// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of a loop whose tiles the copy engine brings: a ring of stages, or
// none. Private to lib/Planning.
#ifndef KPIPE_PLANNING_BULKPLAN_H
#define KPIPE_PLANNING_BULKPLAN_H

#include "Planner.h"

namespace kpipe {

/// \param Plan what is known of the loop as it is. Fails with a Refusal where
/// the architecture, the launches or the budget leave no second stage.
llvm::Expected<PipelinePlan> planBulk(const PlanRequest &Request,
                                      PipelinePlan Plan);

} // namespace kpipe

#endif // KPIPE_PLANNING_BULKPLAN_H
