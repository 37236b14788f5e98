// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that are asynchronous have no order among each other: two stores to one
// place, or a store and the fill behind it, must keep theirs.
#ifndef KPIPE_RECOGNITION_ASYNCORDER_H
#define KPIPE_RECOGNITION_ASYNCORDER_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Decides whether copies may be asynchronous (TileCopy::NotAsync), and whether
/// their addresses may be computed where their guards fail
/// (TileCopy::AddressIsFree).
void checkAsyncCopies(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_ASYNCORDER_H
