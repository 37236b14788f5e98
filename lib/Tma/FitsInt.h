// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a row or a column surely fit an int? The copy engine counts in such; a
// thread whose index has 64 bits does not. What NotNegative.h has found not to
// be negative is asked here.
#ifndef KPIPE_TMA_FITSINT_H
#define KPIPE_TMA_FITSINT_H

#include "Boxes/Offsets.h"

namespace kpipe {

class FitsInt {
public:
  /// \param Narrow what the author computes in fewer bits than an address has.
  FitsInt(const clang::ASTContext &Context, Offsets &At,
          llvm::ArrayRef<NarrowSum> Narrow)
      : Context(Context), At(At), Narrow(Narrow) {}

  /// \param Side of the box: an index of the block times no more than that is
  ///   taken to fit, as blocks that stand side by side leave no matrix.
  /// \param Times what the author multiplies P with, in a row's case.
  bool has(const Polynomial &P, unsigned Side,
           const Polynomial::Product &Times = {});

private:
  static constexpr unsigned MostDepth = 24;
  const clang::ASTContext &Context;
  Offsets &At;
  const llvm::ArrayRef<NarrowSum> Narrow;
  unsigned Depth = 0;

  bool isNarrow(const Polynomial::Product &P, int64_t Factor) const;
  std::optional<int64_t> most(const clang::Expr *E);
  std::optional<int64_t> mostOf(const clang::Expr *E);
};

} // namespace kpipe

#endif // KPIPE_TMA_FITSINT_H
