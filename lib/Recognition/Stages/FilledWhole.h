// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of which the copy engine brings every byte in each tile: what threads
// store there besides is gone when the next tile comes, whatever it was. (Where
// kpipe::load_row() brings nothing, what is there is not defined.)
#ifndef KPIPE_RECOGNITION_FILLEDWHOLE_H
#define KPIPE_RECOGNITION_FILLEDWHOLE_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// By bulk copies, whose places and lengths are constants. False for a loop
/// that has none.
bool isFilledWhole(const LoopFacts &Facts, const StagedBuffer &B);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_FILLEDWHOLE_H
