// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel can have a warp or a warpgroup more, which has the copy
// engine bring the tiles of a loop while the author's threads compute.
#ifndef KPIPE_LIB_KERNEL_PRODUCERWARPS_H
#define KPIPE_LIB_KERNEL_PRODUCERWARPS_H

#include "Launches.h"
#include "Recognition/Body/LoopFacts.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// \param Facts of a loop whose tiles the copy engine brings.
/// \param Threads the producer's: ProducerWarp::Warp or ProducerWarp::Group.
/// \param Elsewhere other files launch the kernel, too.
ProducerWarp producerFor(const LoopFacts &Facts, unsigned Threads,
                         const LaunchIndex &Launches, const CallIndex &Calls,
                         const clang::ASTContext &Context, bool Elsewhere);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_PRODUCERWARPS_H
