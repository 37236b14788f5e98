// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of a cluster that reach into each other's shared memory.
#ifndef KPIPE_CODE_OTHERBLOCKS_H
#define KPIPE_CODE_OTHERBLOCKS_H

#include "clang/AST/Stmt.h"

namespace kpipe {

/// Does code in S, or in what is called there, access the shared memory of
/// another block, or make an address there? It is the address of the same place
/// in that block, whatever that block has there.
bool reachesOtherBlocks(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_CODE_OTHERBLOCKS_H
