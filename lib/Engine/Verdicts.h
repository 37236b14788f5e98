// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a loop that is not pipelined as it was planned.
#ifndef KPIPE_ENGINE_VERDICTS_H
#define KPIPE_ENGINE_VERDICTS_H

#include "Validation/Order/OrderViolation.h"
#include "kpipe/Engine.h"
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

} // namespace kpipe

#endif // KPIPE_ENGINE_VERDICTS_H
