// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of loops as statements: their bodies, and what goes on elsewhere
// than behind itself, as what that skips cannot be told from nesting alone.
#ifndef KPIPE_CODE_JUMPS_H
#define KPIPE_CODE_JUMPS_H

#include "clang/AST/Stmt.h"

namespace kpipe {

/// A for, range-for, while or do loop.
bool isLoop(const clang::Stmt *S);

/// Does S hold a label, which a goto may lead to?
bool hasLabel(const clang::Stmt *S);

/// The statement that a for, while or do loop repeats.
const clang::Stmt *bodyOf(const clang::Stmt *Loop);

/// A break, continue, goto or return, or a label, which a goto may lead to.
bool isJump(const clang::Stmt *S);

/// Does S hold one?
bool hasJump(const clang::Stmt *S);

/// The first jump inside Loop that ends Loop or one of its iterations; null if
/// each iteration runs from its beginning to its end. What only leaves a loop
/// or a switch inside Loop does not count.
const clang::Stmt *findJump(const clang::ForStmt *Loop);

/// The first jump inside S that leads out of it; null if S is left at its end
/// only.
const clang::Stmt *findJumpIn(const clang::Stmt *S);

} // namespace kpipe

#endif // KPIPE_CODE_JUMPS_H
