// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of a staged buffer that are numbers, as inline assembly wants them:
//   unsigned a = __cvta_generic_to_shared(As) + row * 80;
// Such a number means the same place in another stage if that stage's distance
// is added to it. That holds if it is a sum with the address in it once; it
// does not if the address' bits are asked for.
#ifndef KPIPE_RECOGNITION_VIEWSBYNUMBER_H
#define KPIPE_RECOGNITION_VIEWSBYNUMBER_H

#include "kpipe/TileLoop.h"
#include "clang/AST/ASTContext.h"

namespace kpipe {

/// Does the number that \p E computes move with the buffer, byte by byte? Views
/// that it is made of are those that B has so far.
bool movesWith(const StagedBuffer &B, const clang::Expr *E,
               const clang::ASTContext &Context);

/// Has the buffer a view that is a number?
bool hasNumberView(const StagedBuffer &B);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_VIEWSBYNUMBER_H
