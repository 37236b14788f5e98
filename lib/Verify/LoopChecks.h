// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of one loop over tiles. Private to Verify.
#ifndef KPIPE_LIB_VERIFY_LOOPCHECKS_H
#define KPIPE_LIB_VERIFY_LOOPCHECKS_H

#include "TileCode.h"
#include "kpipe/Verify.h"

namespace kpipe {

/// Checks a rewritten loop.
/// \param Originals the loops over tiles of the kernel as it was.
LoopVerification verifyLoop(const TileCode &T,
                            llvm::ArrayRef<TileCode> Originals,
                            const KernelFacts &Facts);

} // namespace kpipe

#endif // KPIPE_LIB_VERIFY_LOOPCHECKS_H
