// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a file has no loop: those of the headers that it includes.
#ifndef KPIPE_ENGINE_HEADERLOOPS_H
#define KPIPE_ENGINE_HEADERLOOPS_H

#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Engine.h"

namespace kpipe {

/// Sets UnitOutcome::LoopsInHeaders, TilesInHeaders and HeadersWithLoops.
void countLoopsInHeaders(clang::ASTContext &Context,
                         const TransformOptions &Options,
                         const CallIndex &Calls, UnitOutcome &Out);

/// Where no function is the one that was asked for: sets
/// UnitOutcome::NoKernelMatches and OtherKernels.
void nameOtherKernels(clang::ASTContext &Context,
                      const TransformOptions &Options, UnitOutcome &Out);

/// Sets UnitOutcome::HeaderFunctions.
void describeHeaderFunctions(llvm::ArrayRef<DeviceFunction> Functions,
                             const clang::SourceManager &SM, UnitOutcome &Out);

} // namespace kpipe

#endif // KPIPE_ENGINE_HEADERLOOPS_H
