// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured of a loop before, or stands in a profile.
#ifndef KPIPE_ENGINE_CHOSENFORMS_H
#define KPIPE_ENGINE_CHOSENFORMS_H

#include "kpipe/Engine.h"
#include "kpipe/Target.h"

namespace kpipe {

/// The form that was chosen for the loop before, or null; says so if one is
/// looked for and none fits.
const ChosenForm *chosenForm(const LoopOutcome &O,
                             const TransformOptions &Options,
                             llvm::ArrayRef<const ArchLimits *> Archs,
                             std::vector<Diagnostic> &Said);

} // namespace kpipe

#endif // KPIPE_ENGINE_CHOSENFORMS_H
