// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the value of a variable stays what it was made: private to what reads
// the operations of the copy engine.
#ifndef KPIPE_CODE_BULKPLACES_H
#define KPIPE_CODE_BULKPLACES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace kpipe {

/// Is a variable or parameter given another value in the function's body?
bool givesNewValue(const clang::Stmt *Body, const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_CODE_BULKPLACES_H
