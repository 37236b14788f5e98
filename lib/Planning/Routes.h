// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of each copy of a tile: cp.async, or registers as far as there are
// any. Knows neither shared memory nor stages. Private to lib/Planning.
#ifndef KPIPE_PLANNING_ROUTES_H
#define KPIPE_PLANNING_ROUTES_H

#include "Planner.h"

namespace kpipe {

/// The way of the copy with this index, with the reason.
CopyPlan chooseRoute(const PlanRequest &Request, unsigned Copy);

/// Registers of a thread that hold what goes through registers.
unsigned registersNeeded(const PlanRequest &Request,
                         llvm::ArrayRef<CopyPlan> Copies);

/// A clause that says why as many registers are too many for so many tiles.
Message tooManyRegisters(const PlanRequest &Request, unsigned Needed,
                             unsigned Tiles = 1);

/// Copies that could be asynchronous as well become so when registers do not
/// suffice for all of them.
/// \returns why that was needed, as a clause; empty if nothing changed.
Message relieveRegisters(const PlanRequest &Request,
                             llvm::MutableArrayRef<CopyPlan> Copies);

/// Why no copy can be asynchronous, as a clause.
Message firstObstacle(const PlanRequest &Request);

/// A sentence for each array that registers fill although cp.async was asked
/// for.
std::vector<Message> fallbacks(const PlanRequest &Request,
                                   llvm::ArrayRef<CopyPlan> Copies);

} // namespace kpipe

#endif // KPIPE_PLANNING_ROUTES_H
