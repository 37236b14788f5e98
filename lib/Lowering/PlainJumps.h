// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that say what a condition would: `for (;;) { if (k >= K) break; …`, and
// `if (row >= M) { tile[i] = 0; continue; }` in a loop that copies. Such loops
// are read with the condition, so that nothing else has to know jumps.
#ifndef KPIPE_LOWERING_PLAINJUMPS_H
#define KPIPE_LOWERING_PLAINJUMPS_H

#include "ConstantBranches.h"

namespace kpipe {

/// May a body have such loops? Asks for no text.
bool mayLoseJumps(const clang::FunctionDecl *Body);

/// Loops that pass barriers of the block, without such jumps of their own and of
/// the loops in them.
/// \param MayTouch whether the text of a loop may change.
std::vector<OpenedLoop>
loopsWithoutJumps(const clang::FunctionDecl *Body, const SourceText &Source,
                  llvm::function_ref<bool(const clang::Stmt *)> MayTouch);

} // namespace kpipe

#endif // KPIPE_LOWERING_PLAINJUMPS_H
