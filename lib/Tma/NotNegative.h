// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a number of the block surely 0 or more? The copy engine brings zeros for
// what lies in front of a matrix, where a thread would read what is there.
#ifndef KPIPE_TMA_NOTNEGATIVE_H
#define KPIPE_TMA_NOTNEGATIVE_H

#include "Code/Values.h"
#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

class NotNegative {
public:
  NotNegative(const LoopFacts &Facts, Values &Known)
      : Facts(Facts), Known(Known) {}

  /// What the block's index comes to, times constants, is taken to fit an int:
  /// a matrix of 2^31 rows is larger than any memory.
  bool has(const clang::Expr *E);
  bool has(const clang::VarDecl *V);

private:
  static constexpr unsigned MostDepth = 24;
  const LoopFacts &Facts;
  Values &Known;
  unsigned Depth = 0;

  bool ask(const clang::Expr *E);
  bool ofLoop(const clang::VarDecl *V);
};

} // namespace kpipe

#endif // KPIPE_TMA_NOTNEGATIVE_H
