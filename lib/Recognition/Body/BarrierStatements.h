// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms in which statements of a loop's body are block barriers, or are
// sure to pass one.
#ifndef KPIPE_RECOGNITION_BARRIERSTATEMENTS_H
#define KPIPE_RECOGNITION_BARRIERSTATEMENTS_H

#include "Code/Effects.h"

namespace kpipe {

/// Is S a barrier and nothing else? As macros write it, it may stand in
/// `do { } while (0)` or in a block.
bool isBarrier(const clang::Stmt *S, const Effects &E,
               const clang::ASTContext &Context);

/// Is S a barrier behind a condition that is the same for all threads, such as
/// `if (i + T < n) __syncthreads();`? A loop that has other barriers may have
/// this one always.
bool isBarrierOnCondition(const clang::Stmt *S, const Effects &E);

/// Does every thread that runs S pass a block barrier in it, in the statement
/// itself or in a function that it calls in any case?
bool passesBarrier(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BARRIERSTATEMENTS_H
