// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a loop that its author staged with two buffers: what is copied
// in front of it, the condition that copies the next tile, the arrays.
#ifndef KPIPE_LOWERING_STAGEDLOOP_H
#define KPIPE_LOWERING_STAGEDLOOP_H

#include "Code/AsyncOps.h"
#include "kpipe/Message.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

struct StagedLoop {
  const clang::ForStmt *Loop = nullptr;
  const clang::VarDecl *Counter = nullptr;
  const clang::Expr *Step = nullptr; ///< null: by one
  /// All copies of a turn are in its branch.
  const clang::IfStmt *Guard = nullptr;
  /// The last statement that belongs to the copies: the condition or a commit.
  const clang::Stmt *Issued = nullptr;
  /// A wait for all copies, and the barrier behind it; the wait may be both.
  const clang::Stmt *Wait = nullptr, *Barrier = nullptr;
  /// The turn waits behind its copies for older ones, and Barrier follows.
  bool WaitsForOlder = false;
  llvm::SmallSetVector<const clang::VarDecl *, 4> Arrays;
  /// `float *cur = A[0], *next = A[1];`, by the array; and the statements of a
  /// turn by which they change places.
  llvm::SmallMapVector<const clang::VarDecl *, const clang::VarDecl *, 4>
      Pointers;
  llvm::SmallVector<const clang::Stmt *, 4> Swaps;
  /// Of the first tile, in front of the loop.
  llvm::SmallVector<const clang::Stmt *, 8> First;
};

/// What is missing, and where.
struct NotStaged {
  const clang::Stmt *At = nullptr;
  Message Why;
};

/// \returns the parts, as far as a look at the text tells them; else fills No.
std::optional<StagedLoop> stagedLoop(const clang::FunctionDecl *Body,
                                     const clang::Stmt *Loop,
                                     const AsyncOps &Ops, AsyncCode &Code,
                                     NotStaged &No);

} // namespace kpipe

#endif // KPIPE_LOWERING_STAGEDLOOP_H
