// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that give the name of a staged buffer another meaning.
#ifndef KPIPE_RECOGNITION_DECLAREDAGAIN_H
#define KPIPE_RECOGNITION_DECLAREDAGAIN_H

#include "kpipe/TileLoop.h"
#include "clang/AST/Decl.h"

namespace kpipe {

/// Another meaning of the buffer's name among the statements of a block that
/// is given a reference of that name; null if there is none.
const clang::NamedDecl *declaredAgain(const StagedBuffer &B,
                                      const clang::Stmt *Statement);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_DECLAREDAGAIN_H
