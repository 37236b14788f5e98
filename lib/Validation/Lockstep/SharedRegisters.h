// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that two copies take turns with: allowed where they stand in two
// branches of one `if` of the author's, which no thread runs both. Private to
// the validation.
#ifndef KPIPE_LIB_VALIDATION_SHAREDREGISTERS_H
#define KPIPE_LIB_VALIDATION_SHAREDREGISTERS_H

#include "Validation/Trees/Tree.h"

namespace kpipe {

/// Can two places in registers of one function be one? Only constants tell
/// elements of an array apart.
bool mayBeOneRegister(const Tree &A, const Tree &B);

/// Do two statements stand in different branches of an `if` below Root, and
/// count the indices of their registers the turns of the loops around that
/// alike?
bool takeTurns(const clang::Stmt *A, const Tree &RegisterOfA,
               const clang::Stmt *B, const Tree &RegisterOfB,
               const clang::Stmt *Root);

} // namespace kpipe

#endif // KPIPE_LIB_VALIDATION_SHAREDREGISTERS_H
