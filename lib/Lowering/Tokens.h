// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an arrival at a barrier gives, to be waited for.
#ifndef KPIPE_LOWERING_TOKENS_H
#define KPIPE_LOWERING_TOKENS_H

#include "Code/AsyncOps.h"

namespace kpipe {

/// Is a variable an arrival, and nothing but waited for, in that loop? \param V
/// may be null.
bool isAwaitedToken(const clang::VarDecl *V, const clang::Stmt *Loop,
                    const AsyncOps &Ops, const clang::FunctionDecl *Body);

} // namespace kpipe

#endif // KPIPE_LOWERING_TOKENS_H
