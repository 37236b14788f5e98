// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can two accesses of a loop to global memory meet? By the names of arrays, and
// by what `__restrict__` promises for as long as the loop runs. Private to
// lib/Legality.
#ifndef KPIPE_LEGALITY_APART_H
#define KPIPE_LEGALITY_APART_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Can two accesses to global memory never meet, in whatever iterations?
class Apart {
public:
  explicit Apart(const LoopFacts &F);
  bool operator()(const MemoryRoot &A, const MemoryRoot &B) const;

private:
  VarSet Alive;

  bool promised(const MemoryRoot &A, const MemoryRoot &Other) const;
};

} // namespace kpipe

#endif // KPIPE_LEGALITY_APART_H
