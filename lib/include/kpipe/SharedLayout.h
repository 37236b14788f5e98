// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the threads of a block touch the rows of one staged array, and whether
// its rows may become longer. Made by analysis, read by planning and emission;
// nothing here knows budgets or text.
#ifndef KPIPE_SHAREDLAYOUT_H
#define KPIPE_SHAREDLAYOUT_H

#include "clang/AST/Expr.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kpipe {

/// Where one lane touches an array: the number of the row, and bytes into it.
struct LanePlace {
  int64_t Row = 0, Column = 0;
  bool operator==(const LanePlace &O) const {
    return Row == O.Row && Column == O.Column;
  }
};

/// The lanes of one warp; nothing for one that takes no part.
using WarpPlaces = std::array<std::optional<LanePlace>, 32>;

/// One access of a tile loop to a staged array.
struct RowAccess {
  clang::SourceLocation Where;
  bool Write = false;
  /// Bytes that a lane wants at once.
  unsigned Bytes = 0;
  /// Rows of a matrix, as wmma and ldmatrix read them, eight at a time.
  bool Matrix = false;
  /// The warps of a block, those alike once. Empty if Unknown.
  std::vector<WarpPlaces> Warps;
  /// The thread goes on to the next bytes of the row, in another iteration of a
  /// loop or in another expression: compilers join such accesses to wider ones.
  bool Joinable = false;
  /// Why the lanes' places cannot be told, as a clause.
  Message Unknown;
};

/// The degree of an access as written whose rows are Stride bytes apart; 0 if
/// unknown.
unsigned conflictDegree(const RowAccess &A, int64_t Stride);

/// The lowest degree that a compiler can make of it by joining it with its
/// neighbours.
unsigned joinedDegree(const RowAccess &A, int64_t Stride);

/// "rows are 128 bytes apart", "threads are 128 bytes apart"; empty if the
/// distance is not the same for all.
Message describeSpacing(const RowAccess &A, int64_t Stride);

struct SharedLayout {
  /// Bytes of a row, rows in all, bytes of an element. Arrays of one dimension
  /// have one row.
  uint64_t RowBytes = 0, Rows = 0, ElementBytes = 0;
  std::vector<RowAccess> Accesses;
  /// Bytes that are added to a row have to be a multiple of this, so that all
  /// accesses keep their alignment.
  uint64_t PadMultiple = 1;
  /// Bytes to which the widest access is aligned.
  uint64_t Alignment = 1;
  /// Bytes from its beginning that a tile may take, where that is known.
  std::optional<uint64_t> Reach;
  /// Arguments that hold the length of a row: `ldm` of wmma's loads and stores.
  std::vector<const clang::Expr *> Strides;
  /// Empty if rows may become longer; else why not, as a clause.
  Message NotPadded;
};

} // namespace kpipe

#endif // KPIPE_SHAREDLAYOUT_H
