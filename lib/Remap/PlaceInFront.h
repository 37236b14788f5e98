// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a declaration may stand in front of a loop.
#ifndef KPIPE_REMAP_PLACEINFRONT_H
#define KPIPE_REMAP_PLACEINFRONT_H

#include "Emission/SourceText.h"
#include "Recognition/Body/LoopFacts.h"
#include <optional>

namespace kpipe {

/// Behind the statement before the loop, as what is said of the loop stands
/// right above it. Nothing where there is no such place.
std::optional<unsigned> placeInFront(const LoopFacts &Facts,
                                     const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_REMAP_PLACEINFRONT_H
