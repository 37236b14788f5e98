// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do the copies of all threads of a block together fill a rectangle of a shared
// array from a rectangle of global memory, each element once? Found out by
// running them all, whatever the mapping of threads to elements is. What cannot
// be run is no box.
#ifndef KPIPE_BOXES_TILEBOX_H
#define KPIPE_BOXES_TILEBOX_H

#include "BlockCopies.h"
#include <memory>

namespace kpipe {

struct TileBox {
  unsigned Buffer = 0; ///< index into TileLoop::Buffers
  unsigned Rows = 0, Columns = 0, ElementBytes = 0;
  /// Bytes from the array's start to the first element, and from row to row.
  int64_t First = 0, SharedPitch = 0;
  /// Where the first element comes from, and bytes from row to row.
  BlockAddress Global;
  Polynomial Pitch;
  /// Row by row: who copies it.
  std::vector<CopiedElement> Elements;
  /// The items of the body that hold its copies, as indices, and nothing but
  /// copies.
  llvm::SmallVector<unsigned, 4> Items;
  /// Conditions around the copy, without its own; the same for all of them.
  llvm::SmallVector<const clang::Expr *, 2> Around;

  const CopiedElement &at(unsigned Row, unsigned Column) const {
    return Elements[size_t(Row) * Columns + Column];
  }
};

/// A box of one row as rows of so many columns; nothing where they do not come
/// out even, or the guards are not of rows and columns then.
std::optional<TileBox> cutShorter(TileBox Box, unsigned Columns);

/// For one buffer: its box, or why it has none, as a clause.
struct BoxOrNot {
  std::optional<TileBox> Box;
  Message Not;
};

class TileBoxes {
public:
  /// \param Block that runs the loop.
  TileBoxes(const LoopFacts &Facts, Extent3 Block);

  /// Parallel to TileLoop::Buffers.
  std::vector<BoxOrNot> All;
  /// Knows the symbols of the boxes.
  Offsets &offsets() { return *At; }
  /// One copy as it is described with what At has now.
  Message describe(const TileBox &Box, unsigned Copy, CopiedElement &Out) {
    return BlockCopies(Facts, *At, Block).describe(Copy, Box.Around, Out);
  }

private:
  const LoopFacts &Facts;
  const Extent3 Block;
  std::unique_ptr<Offsets> At;

  BoxOrNot find(unsigned Buffer);
};

/// A box as people write it: `As: 128 rows of 16 elements of 4 bytes, …`.
std::string dumpBoxes(const LoopFacts &Facts, TileBoxes &Boxes);

} // namespace kpipe

#endif // KPIPE_BOXES_TILEBOX_H
