// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of the blocks whose threads are run.
#ifndef KPIPE_VALIDATION_BLOCKSHAPES_H
#define KPIPE_VALIDATION_BLOCKSHAPES_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace kpipe {

using BlockShapes = llvm::SmallVector<std::array<unsigned, 3>, 4>;

/// \param Block the block's shape, \param Threads their number, where known;
/// else a few shapes that a launch of \p F may well have. Empty: it has no
/// threads.
BlockShapes blockShapes(const clang::FunctionDecl *F,
                        std::optional<std::array<unsigned, 3>> Block,
                        std::optional<unsigned> Threads);

/// The same, and smaller ones where nothing is known: a block that is too large
/// for its arrays shows nothing.
BlockShapes blockShapesOfAnySize(const clang::FunctionDecl *F,
                                 std::optional<std::array<unsigned, 3>> Block,
                                 std::optional<unsigned> Threads);

} // namespace kpipe

#endif // KPIPE_VALIDATION_BLOCKSHAPES_H
