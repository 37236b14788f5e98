// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a tile a condition of their stores leaves out, and whether
// what holds around a read says that its element is none of these.
#ifndef KPIPE_RECOGNITION_STOREBOUNDS_H
#define KPIPE_RECOGNITION_STOREBOUNDS_H

#include "Recognition/Sums/PathConditions.h"
#include "Recognition/Sums/SteadySums.h"
#include <vector>

namespace kpipe {

/// A condition of a store: Base + the subscript < Bound, for all of a tile.
/// Where a row of elements has one condition, the row counts.
struct StoreBound {
  unsigned Dimension;
  int64_t RowLength;
  Sum Base, Bound;
  const clang::BinaryOperator *Test;
  /// Bound is a number that nothing wraps around in; and with the numbers that
  /// these sums are the test holds as well, whatever the types make of it.
  bool BoundIsExact, Exact;
  clang::QualType BoundType; ///< before the test made it a number of its own
};

class StoreBounds {
public:
  StoreBounds(const LoopFacts &Facts, SteadySums &Sums)
      : Facts(Facts), Sums(Sums) {}

  /// What comparisons say is negative, where they lose nothing.
  std::vector<Sum> differencesOf(llvm::ArrayRef<Comparison> Held,
                                 const Surrounding &Around);
  /// Does one of what is held, or all of it together, say that the element At
  /// is stored? \param Modular the subscript wraps around as the test does.
  bool isStored(const StoreBound &Want, const SteadySum &At, bool Modular,
                llvm::ArrayRef<Comparison> Held, llvm::ArrayRef<Sum> Below,
                const Surrounding &Around);
  /// The bound leaves out nothing of the rows that there are.
  static bool isAllOf(const StoreBound &Want, int64_t Extent);

  static bool isSigned(const clang::BinaryOperator *Test) {
    return Test->getLHS()->getType()->isSignedIntegerType();
  }
  unsigned widthOf(const clang::BinaryOperator *Test) const;
  /// What a test converts to unsigned, as it was.
  const clang::Expr *asSigned(const clang::Expr *E) const;

private:
  const LoopFacts &Facts;
  SteadySums &Sums;

  bool follows(const StoreBound &Want, const SteadySum &At, const Comparison &C,
               const Surrounding &Around);
  bool loopIsBelow(const StoreBound &Want);
  bool isSameQuestion(const StoreBound &Want, const Sum &Place,
                      const Comparison &C, const Surrounding &Around);
  bool isAnInt(const Sum &S) const;
  bool growsFromBlock(const Sum &Base);
};

} // namespace kpipe

#endif // KPIPE_RECOGNITION_STOREBOUNDS_H
