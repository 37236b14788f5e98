// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The floating-point arithmetic of the function around a tile loop: its sums,
// its products, what its variables are given, and what of it is not followed.
// It must not know what a compiler fuses.
#ifndef KPIPE_METRICS_FLOATCODE_H
#define KPIPE_METRICS_FLOATCODE_H

#include "Recognition/Body/LoopFacts.h"

namespace kpipe {

/// Where an expression stands.
struct CodePlace {
  bool InBody = false;  ///< of the tile loop
  bool Certain = true;  ///< in no branch of that body, or of the function
  bool Counted = true;  ///< in no loop of another kind than `for`
  unsigned Order = 0;   ///< later in the text: more
  llvm::SmallVector<const clang::ForStmt *, 4> Loops; ///< within that body
};

struct GivenValue {
  const clang::VarDecl *Var = nullptr;
  const clang::Expr *To = nullptr; ///< null for its declaration
  const clang::Expr *Value = nullptr;
  CodePlace At;
};

/// `Left + Right`, `Left - Right`, also as `+=` and `-=`.
struct FloatSum {
  const clang::BinaryOperator *E = nullptr;
  bool Subtracts = false;
  CodePlace At;
};

/// `a * b` or `a *= b`.
struct FloatProduct {
  const clang::BinaryOperator *E = nullptr;
  CodePlace At;
};

struct FloatCode {
  std::vector<GivenValue> Given;
  std::vector<FloatSum> Sums;
  std::vector<FloatProduct> Products;
  /// What nobody follows, the first of it; empty if all is followed.
  Message NotFollowed;
  clang::SourceLocation Where;
};

/// \param Facts of a tile loop.
FloatCode findFloatCode(const LoopFacts &Facts);

/// The variable whose storage an lvalue names a part of, without following
/// pointers; null if there is none.
const clang::VarDecl *namedStorage(const clang::Expr *E);

/// Is V a variable of the function's own, an array or object included?
bool isOwnStorage(const clang::VarDecl *V);

} // namespace kpipe

#endif // KPIPE_METRICS_FLOATCODE_H
