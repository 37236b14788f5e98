// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose block is no constant, but whose dynamic shared memory hangs on
// the block alone: `k<<<grid, n, n * sizeof(float)>>>`. A block has 1024
// threads at most, so all that can run are counted through.
#ifndef KPIPE_LIB_KERNEL_BYTESBYBLOCK_H
#define KPIPE_LIB_KERNEL_BYTESBYBLOCK_H

#include "Code/Values.h"
#include "kpipe/Plan.h"

namespace kpipe {

/// Threads and bytes of every block that a launch can run with; empty if the
/// bytes hang on anything else as well.
/// \param Launch the call whose arguments Block and Bytes are.
std::vector<BlockBytes> bytesByBlock(const clang::Expr *Block,
                                     const clang::Expr *Bytes,
                                     const clang::Expr *Launch, Values &Known,
                                     const clang::ASTContext &Context);

} // namespace kpipe

#endif // KPIPE_LIB_KERNEL_BYTESBYBLOCK_H
