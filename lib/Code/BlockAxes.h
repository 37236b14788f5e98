// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `blockDim.x * blockDim.y`: numbers that are of the block's axes alone.
#ifndef KPIPE_CODE_BLOCKAXES_H
#define KPIPE_CODE_BLOCKAXES_H

#include "clang/AST/Expr.h"
#include <optional>

namespace kpipe {

/// \returns how many axes are multiplied; nothing where there is any other
/// factor.
std::optional<unsigned> axesOfBlock(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_CODE_BLOCKAXES_H
