// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose tile the copy engine is to bring: their new text, see kpipe/TmaCopies.h.
#ifndef KPIPE_ENGINE_TMAOFLOOPS_H
#define KPIPE_ENGINE_TMAOFLOOPS_H

#include "KernelsOfLoops.h"
#include "kpipe/Target.h"

namespace kpipe {

/// Nothing where the loop is that text already or keeps its copies; what is to
/// be said of that goes into O.
/// \param By Tma or Bulk.
std::optional<RemapOfLoop>
engineCopiesOf(CopyMapping By, const WrittenLoop &L, LoopOutcome &O,
               const KernelsOfLoops &Kernels, const LaunchIndex &Launches,
               llvm::ArrayRef<const ArchLimits *> Archs,
               const TransformOptions &Options);

/// The primitives of the runtime that a loop's text names before it is
/// pipelined.
std::vector<std::string> primitivesBefore(const Place &Loop,
                                          const TransformOptions &Options);

} // namespace kpipe

#endif // KPIPE_ENGINE_TMAOFLOOPS_H
