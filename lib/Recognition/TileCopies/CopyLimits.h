// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops with a bound that only the run knows: `for (i = tid; i < width; i
// += T) xs[i] = …`. An array has no more elements than it is declared with, so
// that a thread needs no more registers than those take.
#ifndef KPIPE_RECOGNITION_COPYLIMITS_H
#define KPIPE_RECOGNITION_COPYLIMITS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Counts what can be counted so, or by CopySpans.h: sets CopyLoop::Limit and
/// its Trips.
void limitCopyLoops(LoopFacts &Facts);

/// Why the parts of a copy loop without Trips are not counted, as a clause.
Message whyNotCounted(const CopyLoop &L, const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_COPYLIMITS_H
