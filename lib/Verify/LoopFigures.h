// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of one loop over tiles, with a word for each instruction that
// counts, and how much it loads and computes for a tile. Private to Verify.
#ifndef KPIPE_LIB_VERIFY_LOOPFIGURES_H
#define KPIPE_LIB_VERIFY_LOOPFIGURES_H

#include "TileCode.h"
#include "kpipe/Verify.h"

namespace kpipe {

/// The loop with no checks yet.
LoopVerification figuresOf(const TileCode &T);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_LOOPFIGURES_H
