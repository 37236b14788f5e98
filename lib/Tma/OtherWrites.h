// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the copy engine reads is read by another proxy: what threads of the
// kernel wrote, or what they waited for, need not be there for it.
#ifndef KPIPE_TMA_OTHERWRITES_H
#define KPIPE_TMA_OTHERWRITES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Why the kernel may have stored to global memory before the loop copies, or
/// ordered memory beyond the block's barriers; empty if it has not.
Message writesBefore(const LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_TMA_OTHERWRITES_H
