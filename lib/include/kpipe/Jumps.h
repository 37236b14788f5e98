// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that go on elsewhere than behind themselves: what such a statement
// skips cannot be told from the nesting of statements alone.
#ifndef KPIPE_JUMPS_H
#define KPIPE_JUMPS_H

#include "clang/AST/Stmt.h"

namespace kpipe {

/// A break, continue, goto or return, or a label, which a goto may lead to.
bool isJump(const clang::Stmt *S);

/// The first jump inside Loop that ends Loop or one of its iterations; null if
/// each iteration runs from its beginning to its end. What only leaves a loop
/// or a switch inside Loop does not count.
const clang::Stmt *findJump(const clang::ForStmt *Loop);

} // namespace kpipe

#endif // KPIPE_JUMPS_H
