// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a loop loads, stores, waits and computes. Private to
// Verify.
#ifndef KPIPE_LIB_VERIFY_STEPS_H
#define KPIPE_LIB_VERIFY_STEPS_H

#include "TileCode.h"

namespace kpipe {

/// Do two loops take the same steps in the same order, whatever their numbers?
/// A loop that was not pipelined keeps its steps.
bool sameSteps(const TileCode &A, const TileCode &B);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_STEPS_H
