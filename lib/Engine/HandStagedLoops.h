// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a loop that its author staged.
#ifndef KPIPE_ENGINE_HANDSTAGEDLOOPS_H
#define KPIPE_ENGINE_HANDSTAGEDLOOPS_H

#include "KernelsOfLoops.h"
#include "kpipe/Engine.h"
#include "kpipe/Target.h"

namespace kpipe {

/// Are all bodies of a loop staged? Then it is no loop that could not be
/// pipelined, and its outcome says so, with mistakes. False if it is not sure.
bool isStagedByHand(const WrittenLoop &L, const KernelsOfLoops &Kernels,
                    const clang::SourceManager &SM, LoopOutcome &O);

/// What is said of a loop that copies asynchronously and stays as it is.
void sayAsynchronous(const AsyncLoop &A, const WrittenLoop &L,
                     const KernelsOfLoops &Kernels,
                     const clang::SourceManager &SM, LoopOutcome &O);

/// Where kpipe is asked to stage the loop instead of its author: says that it
/// is to be done, or why it was not. \param Asked for the loop by directives.
void askToRestage(const TransformOptions &Options, const LoopForm &Asked,
                  llvm::ArrayRef<const ArchLimits *> Archs, LoopOutcome &O);

} // namespace kpipe

#endif // KPIPE_ENGINE_HANDSTAGEDLOOPS_H
