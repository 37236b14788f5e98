// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose number of turns no other thread decides: `j < n`, where each turn
// moves j on by what no turn changes.
#ifndef KPIPE_LEGALITY_COUNTEDTURNS_H
#define KPIPE_LEGALITY_COUNTEDTURNS_H

#include "Code/Effects.h"

namespace kpipe {

/// How a loop counts its turns.
struct CountedTurns {
  /// The condition has another part, or the body a way out, so that the loop
  /// may end before it has counted.
  bool MayEndEarlier = false;
};

/// Is it an access that people wait by: an atomic, a volatile load, or a load
/// by a function, such as __ldcg?
bool asksAgain(const MemoryAccess &A);

/// \param S a for, while or do loop of the scope's function.
/// \returns nothing where it is not known that the loop counts.
std::optional<CountedTurns> countedTurns(const clang::Stmt *S, const Scope &In);

} // namespace kpipe

#endif // KPIPE_LEGALITY_COUNTEDTURNS_H
