// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a local variable surely written, as a whole, before a statement reads it?
#ifndef KPIPE_VALIDATION_FIRSTUSE_H
#define KPIPE_VALIDATION_FIRSTUSE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

enum class FirstUse {
  None,    ///< not mentioned
  Killed,  ///< surely written before anything else
  Covered, ///< written before every read, where it is reached at all
  Exposed  ///< may be read, or renamed, before it is written
};

FirstUse firstUse(const clang::Stmt *S, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_VALIDATION_FIRSTUSE_H
