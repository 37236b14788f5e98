// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of a group, which are barriers of the group without copies.
#ifndef KPIPE_LOWERING_GROUPWAITS_H
#define KPIPE_LOWERING_GROUPWAITS_H

#include "Code/AsyncOps.h"
#include "Emission/SourceText.h"

namespace kpipe {

/// A barrier of the block right behind one of fewer threads does for both, also
/// behind the branch that ends there.
bool isBeforeBarrier(const clang::Stmt *S, const AsyncOps &Ops);

/// `cg::sync(block)` of `cg::wait(block)`.
std::optional<std::string> groupBarrier(const AsyncOp &Op,
                                        const SourceText &Source);

} // namespace kpipe

#endif // KPIPE_LOWERING_GROUPWAITS_H
