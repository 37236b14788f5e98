// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From one cliff to the next, see Steps.h. The arithmetic is Target's.
#include "Steps.h"

namespace kpipe::html {

std::vector<OccupancyStep> occupancySteps(const ArchLimits &Arch,
                                          const LaunchShape &Launch) {
  LaunchShape At = Launch;
  if (At.ThreadsPerBlock == 0) {
    // One warp fits wherever a block does.
    At.ThreadsPerBlock = ArchLimits::ThreadsPerWarp;
    At.Registers.reset();
  }
  At.StaticShared = At.DynamicShared = 0;
  std::vector<OccupancyStep> Steps;
  for (;;) {
    Occupancy Here = occupancy(Arch, At);
    if (Here.BlocksPerSM == 0)
      return Steps;
    Steps.push_back({At.DynamicShared, Here.CliffBytes, Here.BlocksPerSM});
    // As dynamic memory: static memory has a limit of its own.
    At.DynamicShared = Here.CliffBytes + 1;
  }
}

} // namespace kpipe::html
