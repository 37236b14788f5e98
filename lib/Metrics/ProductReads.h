// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of shared memory that a product is computed from, followed
// through variables that are given a value once. It must not know sums.
#ifndef KPIPE_METRICS_PRODUCTREADS_H
#define KPIPE_METRICS_PRODUCTREADS_H

#include "ElementTurns.h"
#include "FloatCode.h"

namespace kpipe {

class ProductReads {
public:
  ProductReads(const LoopFacts &Facts, const FloatCode &Code)
      : Facts(Facts), Code(Code), Known(Facts.In->context()) {}

  /// \returns nothing where a loop around it has no constant bounds.
  std::optional<ValueOfElements> of(const FloatProduct &Product);

  /// Does E depend on memory or the kernel's parameters in a way that leaves a
  /// compiler no value to compute with?
  bool isUnknown(const clang::Expr *E, unsigned Depth = 0) const;

private:
  const LoopFacts &Facts;
  const FloatCode &Code;
  Values Known;
  /// Indices of elements of local arrays that reads are followed through stand
  /// for the loops that filled them.
  using Renaming =
      llvm::SmallVector<std::pair<const clang::VarDecl *, LinearIndex>, 4>;

  /// The loops around what is asked for.
  llvm::SmallVector<TurnsOf, 3> Loops;

  bool addReads(const clang::Expr *E, const CodePlace &At, const Renaming &Names,
                ValueOfElements &Out, unsigned Depth);
  bool addStorage(const clang::Expr *E, const CodePlace &At,
                  const Renaming &Names, ValueOfElements &Out, unsigned Depth);
  std::optional<LinearIndex> index(const clang::Expr *E, const Renaming &Names,
                                   unsigned Depth = 0);
  std::optional<Renaming> renamed(const GivenValue &Given, const clang::Expr *Use,
                                  const CodePlace &At, const Renaming &Names);
};

} // namespace kpipe

#endif // KPIPE_METRICS_PRODUCTREADS_H
