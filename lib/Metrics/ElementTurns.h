// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of arrays that loops read, by indices that are linear in the loops'
// variables: are two of them, or those of two turns, ever the same? Arithmetic
// on plain numbers; it must not know expressions or what is made of elements.
#ifndef KPIPE_METRICS_ELEMENTTURNS_H
#define KPIPE_METRICS_ELEMENTTURNS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace kpipe {

/// Sum of Factor * variable, of what does not change (Rest, spelled the same
/// where it is the same) and of Constant.
struct LinearIndex {
  struct Term {
    const void *Loop = nullptr;
    int64_t Factor = 0;
  };
  llvm::SmallVector<Term, 3> Terms; ///< each loop once, no Factor of 0
  std::string Rest;
  int64_t Constant = 0;

  int64_t factorOf(const void *Loop) const;
  void add(const LinearIndex &Other, int64_t Times);
};

/// One element that is read; an index that is not linear is empty.
struct ElementRead {
  const void *Array = nullptr;
  llvm::SmallVector<std::optional<LinearIndex>, 3> Indices;
};

/// A loop of constant bounds: its variable goes up by Step, Trips times.
struct TurnsOf {
  const void *Loop = nullptr;
  int64_t Step = 1;
  uint64_t Trips = 0;
};

/// A value that is computed from elements, in some loops.
struct ValueOfElements {
  llvm::SmallVector<TurnsOf, 3> Loops;
  llvm::SmallVector<ElementRead, 4> Reads;
  /// Reads are all that it depends on.
  bool Complete = true;
};

/// Do no two turns of the loops read the same elements?
bool readsOthersEachTurn(const ValueOfElements &Value);

/// Does A read other elements than B, whatever the turns of each?
bool readOtherElements(const ValueOfElements &A, const ValueOfElements &B);

} // namespace kpipe

#endif // KPIPE_METRICS_ELEMENTTURNS_H
