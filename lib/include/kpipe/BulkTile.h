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

struct BulkTile {
  /// The mbarrier, an 8-byte shared variable: also the last of the loop's
  /// Buffers, as each stage has one.
  const clang::VarDecl *Barrier = nullptr;
  /// The statement before the loop that initialises it, for one arrival: done
  /// for each stage.
  const clang::Stmt *Init = nullptr;
  /// In the body: who issues the copies, and who waits for them.
  const clang::Stmt *Issue = nullptr, *Wait = nullptr;
  /// Bytes that a phase expects, where they are constant.
  std::optional<uint64_t> Bytes;
  unsigned TensorCopies = 0, BulkCopies = 0;
  /// The input's barrier behind the compute is missing: slower threads may
  /// still read what the next tile overwrites. The output has one.
  bool Unclosed = false;
};

} // namespace kpipe

#endif // KPIPE_BULKTILE_H
