// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branches that copies stand in: which of two copies exclude each other, so
// that one register can hold the value of either, and which never run at all.
#ifndef KPIPE_RECOGNITION_BRANCHES_H
#define KPIPE_RECOGNITION_BRANCHES_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// An `if` around a copy, and which of its branches the copy stands in.
struct BranchAround {
  const clang::IfStmt *If = nullptr;
  bool Then = false;
  /// The loops around the `if` within the tile.
  llvm::SmallVector<const clang::Stmt *, 2> Loops;
  bool InHelper = false;
};

class Branches {
public:
  explicit Branches(const LoopFacts &Facts);

  /// Copies I and J stand in two branches of one `if`: a thread that comes by
  /// runs one of them.
  bool excludeEachOther(unsigned I, unsigned J) const;
  /// The same for the whole tile: no turn of a loop around the `if` decides
  /// otherwise than the one before.
  bool excludeForTile(unsigned I, unsigned J) const;
  /// A constant condition keeps every thread from the copy.
  bool neverRuns(unsigned I) const;

private:
  const LoopFacts &Facts;
  llvm::SmallVector<llvm::SmallVector<BranchAround, 2>, 4> Around;

  void surround(const clang::Stmt *Root, const clang::Stmt *Target,
                bool InHelper, llvm::SmallVectorImpl<BranchAround> &Out) const;
  const BranchAround *split(unsigned I, unsigned J) const;
};

/// Sets TileCopy::NeverRuns and TileCopy::SharesRegisters.
void findBranches(LoopFacts &Facts);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_BRANCHES_H
