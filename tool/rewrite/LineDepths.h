// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lines of a text hold whole blocks and whole conditions of the
// preprocessor. Reads tokens; it must not know what they mean.
#ifndef KPIPE_TOOL_REWRITE_LINEDEPTHS_H
#define KPIPE_TOOL_REWRITE_LINEDEPTHS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace kpipe {

/// How deep each line of a text begins, in brackets and in conditions.
struct LineDepths {
  /// One more than there are lines.
  std::vector<int> Brackets, Conditions;
  /// The least depth in each line.
  std::vector<int> Least;
  /// The lines that begin another branch of a condition.
  std::vector<bool> Branches;

  explicit LineDepths(size_t Lines)
      : Brackets(Lines + 1), Conditions(Lines + 1), Least(Lines),
        Branches(Lines) {}

  /// Is [Begin, End) whole? If not: does it lack its beginning?
  enum Part { Whole, LacksBegin, LacksEnd };
  Part part(unsigned Begin, unsigned End) const;
};

LineDepths depthsOf(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_LINEDEPTHS_H
