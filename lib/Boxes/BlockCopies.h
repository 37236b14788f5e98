// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the copies of a load region for all threads of a block, and writes down
// which element each one brings from where.
#ifndef KPIPE_BOXES_BLOCKCOPIES_H
#define KPIPE_BOXES_BLOCKCOPIES_H

#include "Offsets.h"
#include "kpipe/Message.h"

namespace kpipe {

/// `L < R`, as far as a guard is made of such.
struct GuardTest {
  clang::BinaryOperatorKind Op;
  Polynomial L, R;
  clang::QualType As; ///< what they are compared as
  bool operator==(const GuardTest &O) const {
    return Op == O.Op && L == O.L && R == O.R && As == O.As;
  }
};

/// One execution of a copy.
struct CopiedElement {
  unsigned Copy = 0; ///< index into TileLoop::Copies
  Extent3 Thread{0, 0, 0};
  /// The turns of the loops around it, outermost first.
  llvm::SmallVector<std::pair<const clang::VarDecl *, int64_t>, 2> Turns;
  const clang::VarDecl *Array = nullptr;
  int64_t To = 0; ///< bytes from the array's start
  BlockAddress From;
  /// All of them hold where something is copied.
  std::vector<GuardTest> Guards;
  /// What its place and its guards are computed of in fewer bits.
  std::vector<NarrowSum> Narrow;
};

class BlockCopies {
public:
  BlockCopies(const LoopFacts &Facts, Offsets &At, Extent3 Block)
      : Facts(Facts), At(At), Block(Block) {}

  /// Runs the items that hold copies of one buffer. \returns why that is not
  /// possible, as a clause; empty if all is in Elements.
  Message run(llvm::ArrayRef<const clang::Stmt *> Items, unsigned Buffer);

  std::vector<CopiedElement> Elements;
  /// Conditions around each copy, apart from its own, outermost first.
  llvm::DenseMap<unsigned, llvm::SmallVector<const clang::Expr *, 2>> Around;

  /// The place, the source and the guards of a copy as Offsets knows them now.
  Message describe(unsigned Copy, llvm::ArrayRef<const clang::Expr *> Conditions,
                   CopiedElement &Out);

private:
  static constexpr size_t MostElements = 1 << 15;
  static constexpr unsigned MostTurns = 1 << 12;
  const LoopFacts &Facts;
  Offsets &At;
  const Extent3 Block;
  unsigned Buffer = 0;
  Message Why;
  llvm::SmallVector<const clang::Expr *, 2> Conditions;
  CopiedElement Now;

  bool fail(Message M) {
    if (!Why)
      Why = std::move(M);
    return false;
  }
  bool statement(const clang::Stmt *S);
  bool loop(const clang::ForStmt *F);
  bool branch(const clang::IfStmt *I);
  bool copy(unsigned Copy);
  bool tests(const clang::Expr *Condition, std::vector<GuardTest> &To);
  const CopyLoop *countedLoop(const clang::ForStmt *F) const;
  const TileCopy &of(unsigned Copy) const { return Facts.Tile.Copies[Copy]; }
};

} // namespace kpipe

#endif // KPIPE_BOXES_BLOCKCOPIES_H
