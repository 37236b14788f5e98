// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the wait for a tile's wgmma is not where the author had it, nothing
// else in the loop may touch what wgmma adds to. Private to the validation.
#ifndef KPIPE_LIB_VALIDATION_SUMSINFLIGHT_H
#define KPIPE_LIB_VALIDATION_SUMSINFLIGHT_H

#include "LoopUses.h"

namespace kpipe {

/// A use of sums by whatever name. \param Again the loop may be entered more
/// than once: wgmma behind it may be in flight in front of it.
std::optional<OrderViolation> findUseOfSums(const LoopUses &Of, bool Again);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SUMSINFLIGHT_H
