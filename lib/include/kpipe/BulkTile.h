// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile that one thread has the copy engine bring (sm_90: bulk copies, TMA),
// and for which all threads wait at an mbarrier: what recognition finds of it.
#ifndef KPIPE_BULKTILE_H
#define KPIPE_BULKTILE_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace clang {
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace kpipe {

/// An mbarrier that is waited for once a tile.
struct BulkBarrier {
  /// An 8-byte shared variable: also among the last of the loop's Buffers, as
  /// each stage has one.
  const clang::VarDecl *Var = nullptr;
  /// The statement before the loop that initialises it: done for each stage.
  const clang::Stmt *Init = nullptr;
  /// In the body: the statement that waits.
  const clang::Stmt *Wait = nullptr;
  /// Bytes that a phase expects, where they are constant.
  std::optional<uint64_t> Bytes;
  /// All threads arrive in each phase; else the one that issues the copies.
  bool AllArrive = false;
};

struct BulkTile {
  /// In the order of their waits.
  llvm::SmallVector<BulkBarrier, 2> Barriers;
  /// In the body: who issues the copies.
  const clang::Stmt *Issue = nullptr;
  /// Statements behind it by which all threads arrive.
  llvm::SmallVector<const clang::Stmt *, 1> Arrivals;
  unsigned TensorCopies = 0, BulkCopies = 0;
  /// The input's barrier behind the compute is missing: slower threads may
  /// still read what the next tile overwrites. The output has one.
  bool Unclosed = false;

  const BulkBarrier *barrier(const clang::VarDecl *V) const {
    for (const BulkBarrier &B : Barriers)
      if (B.Var == V)
        return &B;
    return nullptr;
  }
  bool waits(const clang::Stmt *S) const {
    for (const BulkBarrier &B : Barriers)
      if (B.Wait == S)
        return true;
    return false;
  }
};

} // namespace kpipe

#endif // KPIPE_BULKTILE_H
