// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the compute that close a tile with a barrier of their own.
#ifndef KPIPE_RECOGNITION_CLOSINGLOOP_H
#define KPIPE_RECOGNITION_CLOSINGLOOP_H

#include "Code/Effects.h"

namespace kpipe {

/// A loop that runs once at least, by its first condition, and ends each time
/// with a barrier.
bool endsWithBarrier(const clang::Stmt *S, const Scope &In);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_CLOSINGLOOP_H
