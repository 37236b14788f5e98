// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a loop that is not pipelined as it was planned, and what is
// planned where its launches stay as they are.
#ifndef KPIPE_ENGINE_VERDICTS_H
#define KPIPE_ENGINE_VERDICTS_H

#include "Validation/Order/OrderViolation.h"
#include "kpipe/Engine.h"
#include "kpipe/Plan.h"
#include "kpipe/Refusal.h"

namespace kpipe {

void sayLosesOrder(LoopOutcome &O, const OrderViolation &Lost,
                   const clang::SourceManager &SM);
void sayLosesLaunch(LoopOutcome &O, clang::SourceLocation At,
                    const clang::SourceManager &SM);
void sayRefused(LoopOutcome &O, const Refusal &Because);

/// Of what names the kernel there and might launch it, as a clause.
Message whyLaunchStays(clang::SourceLocation At,
                       const clang::SourceManager &SM);

/// No launch of the kernel can be changed, for a reason that only the finished
/// edits told: its plan asks for no more than they give.
void keepLaunches(KernelShape &Kernel, const Message &Why);

} // namespace kpipe

#endif // KPIPE_ENGINE_VERDICTS_H
