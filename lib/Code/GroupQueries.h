// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cooperative groups say of the thread that asks: its rank and how many
// there are. Source: CUDA C++ Programming Guide, "Cooperative Groups".
#ifndef KPIPE_CODE_GROUPQUERIES_H
#define KPIPE_CODE_GROUPQUERIES_H

#include "clang/AST/Expr.h"
#include <array>
#include <optional>

namespace kpipe {

/// `block.thread_rank()`, `tile.size()` and their kin.
struct GroupQuery {
  bool Rank = false; ///< else the size
  unsigned Tile = 0; ///< threads of a tile; 0: the block

  /// For a block of that shape; of a rank, of that thread.
  int64_t value(const std::array<unsigned, 3> &Block,
                const std::array<unsigned, 3> &Thread) const;
};

/// \returns none for other calls, and for groups whose threads are not known.
std::optional<GroupQuery> groupQuery(const clang::CallExpr *C);

/// An expression without the copies that are made of what it names.
const clang::Expr *withoutCopies(const clang::Expr *E);

/// Is a group a variable, or `this_thread_block()`: the same each time it is
/// asked for?
bool namesGroup(const clang::Expr *Group);

} // namespace kpipe

#endif // KPIPE_CODE_GROUPQUERIES_H
