// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many tiles wait in registers at once, where all copies go through them.
// Private to lib/Planning.
#ifndef KPIPE_PLANNING_INREGISTERS_H
#define KPIPE_PLANNING_INREGISTERS_H

#include "Planner.h"

namespace kpipe {

struct TilesHeld {
  unsigned Tiles = 1;
  /// Why these are not as many as were asked for, as a clause; else empty.
  Message Why;
};

/// As many of Asked tiles as there are registers for without fewer blocks
/// running on an SM (which --allow-occupancy-drop permits) and as all
/// instantiations can hold.
/// \param Plan has its buffers, which copies fill through registers alone.
TilesHeld tilesInRegisters(const PlanRequest &Request, const PipelinePlan &Plan,
                           unsigned Asked);

} // namespace kpipe

#endif // KPIPE_PLANNING_INREGISTERS_H
