// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the subscripts of an element stay in their rows: `xs[0][i]` is also
// how people name the elements of all rows, and then a row's subscript does not
// say which row it is.
#ifndef KPIPE_RECOGNITION_PLACESINROWS_H
#define KPIPE_RECOGNITION_PLACESINROWS_H

#include "PathConditions.h"
#include "SteadySums.h"

namespace kpipe {

using Subscripts = llvm::SmallVector<const clang::Expr *, 4>;

class PlacesInRows {
public:
  /// \param Array the type that the subscripts are of.
  PlacesInRows(const LoopFacts &Facts, SteadySums &Sums, clang::QualType Array);

  /// Of a copy's place.
  bool takesStore(const Subscripts &Place, const Surrounding &Around);
  /// Of an element that is read, after all stores. Where the size of the block
  /// is not known, its threads have as many elements in a row as they store.
  bool holdsRead(const Subscripts &Place, const Surrounding &Around);

private:
  const LoopFacts &Facts;
  SteadySums &Sums;
  llvm::SmallVector<int64_t, 4> Extents;
  /// By dimension: all stores so far have the thread's own index there.
  llvm::SmallVector<std::optional<Sum>, 4> OwnIndex;
  bool AnyStore = false;

  std::optional<Extent3> mostThreads() const;
  bool isWithin(const clang::Expr *E, int64_t Extent,
                const Surrounding &Around);
};

/// The comparisons that hold where a statement is run.
llvm::SmallVector<Comparison, 8> comparisonsOf(const Surrounding &Around,
                                               SteadySums &Sums);

} // namespace kpipe

#endif // KPIPE_RECOGNITION_PLACESINROWS_H
