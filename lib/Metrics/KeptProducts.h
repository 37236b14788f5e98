// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that may hold a product until something is added to it: whether a
// compiler sees both at once depends on what it unrolls.
#ifndef KPIPE_METRICS_KEPTPRODUCTS_H
#define KPIPE_METRICS_KEPTPRODUCTS_H

#include "FloatCode.h"

namespace kpipe {

class KeptProducts {
public:
  explicit KeptProducts(const FloatCode &Code);

  /// May the value of E be a product, or another value that a sum with it would
  /// be simplified to? Of what is not known it may.
  bool mayBe(const clang::Expr *E) const;

private:
  VarSet Vars;

  bool mayBeBits(const clang::Expr *E) const;
  bool isConstant(const clang::VarDecl *V) const;
};

/// E if it is a product as it is written, perhaps negated; else null.
const clang::BinaryOperator *writtenProduct(const clang::Expr *E);

} // namespace kpipe

#endif // KPIPE_METRICS_KEPTPRODUCTS_H
