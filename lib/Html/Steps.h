// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks per SM as a function of a block's shared memory. Private to Html.
#ifndef KPIPE_LIB_HTML_STEPS_H
#define KPIPE_LIB_HTML_STEPS_H

#include "kpipe/Target.h"
#include <vector>

namespace kpipe::html {

/// From First to Last shared bytes per block, Blocks run on one SM.
struct OccupancyStep {
  uint64_t First = 0, Last = 0;
  unsigned Blocks = 0;
};

/// The whole function, falling, from 0 bytes to the most that a launch may
/// have, for a launch's threads and registers; its shared memory does not
/// count. If the threads are not known, as far as shared memory and the limit
/// on blocks are concerned.
std::vector<OccupancyStep> occupancySteps(const ArchLimits &Arch,
                                          const LaunchShape &Launch);

} // namespace kpipe::html

#endif // KPIPE_LIB_HTML_STEPS_H
