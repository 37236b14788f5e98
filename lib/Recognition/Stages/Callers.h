// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A staged buffer that is a parameter: the arrays that the calls give for it,
// which get the stages in its place.
#ifndef KPIPE_RECOGNITION_CALLERS_H
#define KPIPE_RECOGNITION_CALLERS_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Fills in B.Given, and B.Bytes where the type does not tell; or returns why
/// the arrays cannot get stages.
Message findGiven(const LoopFacts &Facts, StagedBuffer &B);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_CALLERS_H
