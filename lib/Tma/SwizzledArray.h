// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A staged array laid out as the copy engine swizzles it: its declaration, and
// every mention of an element.
#ifndef KPIPE_TMA_SWIZZLEDARRAY_H
#define KPIPE_TMA_SWIZZLEDARRAY_H

#include "Boxes/TileBox.h"
#include "Code/Scope.h"
#include "Emission/SourceText.h"
#include "Metrics/ArrayUses.h"

namespace kpipe {

/// Rows of a tile as the copy engine brings them: panels, one behind the other.
struct SwizzledRows {
  unsigned ElementBytes = 0;
  unsigned Rows = 0, Columns = 0; ///< of a panel
  unsigned Panels = 1;
  unsigned bytes() const { return ElementBytes * Rows * Columns * Panels; }
};

class SwizzledArray {
public:
  /// What a swizzled array is aligned to, bytes.
  static constexpr unsigned Alignment = 1024;

  SwizzledArray(const LoopFacts &Facts, const TileBox &Box, Extent3 Block,
                const SourceText &Source);

  /// False with Why, a clause, where the array stays as it is.
  bool run();
  Message Why;
  SwizzledRows Rows;
  std::vector<TextEdit> Edits;

private:
  const LoopFacts &Facts;
  const TileBox &Box;
  const clang::VarDecl *V;
  const clang::ASTContext &Context;
  const SourceText &Source;
  /// What is known of all threads, and of one at a time.
  Values Any, OneThread;
  const Extent3 Block;

  bool fail(Message M) {
    if (!Why)
      Why = std::move(M);
    return false;
  }
  bool measure();
  bool declare();
  bool align();
  bool mentions();
  bool mention(const ArrayUse &U);
  bool hasEffects(const clang::Expr *E) const;
  bool staysInRow(const ArrayUse &U);
  bool rewrite(const ArrayUse &U);
  bool isGone(const ArrayUse &U) const;
};

} // namespace kpipe

#endif // KPIPE_TMA_SWIZZLEDARRAY_H
