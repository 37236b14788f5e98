// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a file has no loop: those of the headers that it includes.
#ifndef KPIPE_ENGINE_HEADERLOOPS_H
#define KPIPE_ENGINE_HEADERLOOPS_H

#include "Recognition/Loops/WrittenLoops.h"
#include "kpipe/Engine.h"

namespace kpipe {

/// Sets UnitOutcome::LoopsInHeaders and HeadersWithLoops.
void countLoopsInHeaders(clang::ASTContext &Context,
                         const TransformOptions &Options,
                         const CallIndex &Calls, UnitOutcome &Out);

/// Sets UnitOutcome::HeaderFunctions.
void describeHeaderFunctions(llvm::ArrayRef<DeviceFunction> Functions,
                             const clang::SourceManager &SM, UnitOutcome &Out);

} // namespace kpipe

#endif // KPIPE_ENGINE_HEADERLOOPS_H
