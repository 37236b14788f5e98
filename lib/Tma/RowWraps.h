// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that may wrap around at 32 bits, of a row that the copy engine is to
// bring at once: they must not do so within the row, and its first element is
// where the author's index says.
#ifndef KPIPE_TMA_ROWWRAPS_H
#define KPIPE_TMA_ROWWRAPS_H

#include "Boxes/TileBox.h"
#include "Remap/Alignments.h"

namespace kpipe {

class RowWraps {
public:
  RowWraps(const LoopFacts &Facts, Offsets &At, Alignments &Aligned)
      : Facts(Facts), At(At), Aligned(Aligned) {}

  /// False where that cannot be told, and nothing that is asked in front of the
  /// loop would tell.
  bool hold(const TileBox &Box, unsigned Row);
  /// What the index of the last row that was asked for has to be converted to,
  /// `unsigned int`; empty where it is a sum of 64 bits.
  std::string As;

private:
  const LoopFacts &Facts;
  Offsets &At;
  Alignments &Aligned;

  bool holds(const TileBox &Box, unsigned Row, unsigned Sum);
  bool isWhole(const NarrowSum &Of, const CopiedElement &First) const;
  bool fits(const NarrowSum &Of, const TileBox &Box);
};

} // namespace kpipe

#endif // KPIPE_TMA_ROWWRAPS_H
