// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template in a header belongs to every file that includes it: one run sees
// the instances of its own units alone. Tells what in a template can be
// otherwise in an instance that was not seen. Knows nothing of loops.
#ifndef KPIPE_RECOGNITION_UNSEENINSTANCES_H
#define KPIPE_RECOGNITION_UNSEENINSTANCES_H

#include "DeviceFunctions.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// The first part of a template that no instance of the unit shows: a branch of
/// `if constexpr` that none takes, or a call whose function the arguments
/// choose. Rule `unseen-instances`; nothing for what stands in the main file, or
/// is no template.
std::optional<Obstacle> unseenPart(const DeviceFunction &F,
                                  const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_UNSEENINSTANCES_H
