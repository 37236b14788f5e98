// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place in a staged array that each lane of each warp reads or writes, for
// a use that is followed to its end.
#ifndef KPIPE_METRICS_LANEPLACES_H
#define KPIPE_METRICS_LANEPLACES_H

#include "ArrayUses.h"
#include "Intensity.h"
#include "UseContext.h"
#include "kpipe/SharedLayout.h"
#include <optional>
#include <vector>

namespace kpipe {

class LaneReader {
public:
  /// \param Largest the block that lanes are counted with.
  /// \param Any what is known of all threads.
  /// \param Extents of the array, outermost first.
  LaneReader(const LoopFacts &Facts, const BlockSize &Largest, Values &Any,
             llvm::ArrayRef<uint64_t> Extents, uint64_t ElementBytes)
      : Facts(Facts), Largest(Largest), Any(Any), Extents(Extents),
        ElementBytes(ElementBytes), Lane(Facts.In->context()) {
    Lane.Block = Largest.Extent;
  }

  RowAccess access(const ArrayUse &U, const UseContext &Site);

private:
  const LoopFacts &Facts;
  const BlockSize &Largest;
  Values &Any;
  llvm::ArrayRef<uint64_t> Extents;
  uint64_t ElementBytes;
  /// What is known of the lane that is looked at.
  Values Lane;
  std::optional<bool> OtherAxes;

  /// Eight rows of 16 bytes are read at once.
  void matrixRows(RowAccess &A, const ArrayUse &U);
  /// Does a loop around the access go on to the next bytes of the row?
  bool goesOn(const ArrayUse &U, const UseContext &Site);
  /// The place of the thread that Lane stands for, in the first iteration of
  /// the loops around, or the second of one of them. False if it is not known.
  bool place(const ArrayUse &U, const UseContext &Site,
             std::optional<LanePlace> &P,
             const clang::ForStmt *Second = nullptr);
  std::optional<int64_t> firstValue(const clang::ForStmt *F,
                                    const clang::VarDecl *Index);
  /// `++i`, `--i`, `i += 2`; other steps are not taken.
  std::optional<int64_t> valueAfter(const clang::Expr *Step, int64_t At);
};

/// Accesses whose bytes follow one another in every lane are Joinable.
void joinNeighbours(std::vector<RowAccess> &Accesses);

} // namespace kpipe

#endif // KPIPE_METRICS_LANEPLACES_H
