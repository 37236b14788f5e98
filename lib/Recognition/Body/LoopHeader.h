// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Understands the header of a loop: which variables it advances, by what, and
// whether condition and step can be evaluated one tile ahead.
#ifndef KPIPE_RECOGNITION_LOOPHEADER_H
#define KPIPE_RECOGNITION_LOOPHEADER_H

#include "LoopFacts.h"

namespace kpipe {

/// Fills Tile.Kind, Init, Cond, HeaderVars and the Step flags of Tile.Body, and
/// Facts.Header. Facts.Items must hold the body's effects. What cannot be
/// evaluated ahead becomes a `control-flow` finding.
void analyzeHeader(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_LOOPHEADER_H
