// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is an integer expression a multiple of a step, wherever it is evaluated?
#ifndef KPIPE_CODE_MULTIPLES_H
#define KPIPE_CODE_MULTIPLES_H

#include "Values.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace kpipe {

class Multiples {
public:
  /// \param Known tells constants, and what a function changes.
  Multiples(const clang::ASTContext &Context, Values &Known, uint64_t Step)
      : Context(Context), Known(Known), Step(Step),
        Wraps(llvm::isPowerOf2_64(Step)) {}

  /// False where that is not known.
  bool has(const clang::Expr *E);

  /// Does arithmetic in T lose no multiple? Steps that are no power of two do
  /// not divide what an unsigned sum wraps around at.
  bool keepsStep(clang::QualType T) const {
    return T->isIntegerType() && Context.getIntWidth(T) >= 32 &&
           (Wraps || T->isSignedIntegerType());
  }
  /// Does a conversion between integers?
  bool keepsStep(clang::QualType From, clang::QualType To) const {
    return Wraps || Context.getIntWidth(To) >= Context.getIntWidth(From);
  }

private:
  static constexpr unsigned MostDepth = 24;
  const clang::ASTContext &Context;
  Values &Known;
  const uint64_t Step;
  const bool Wraps;
  unsigned Depth = 0;
  /// Of the calls on the way: what their parameters are given.
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Arguments;

  std::optional<int64_t> valueOf(const clang::Expr *E);
  bool ask(const clang::Expr *E);
  bool cast(const clang::CastExpr *C);
  bool variable(const clang::VarDecl *V);
  bool binary(const clang::BinaryOperator *B);
  bool clears(const clang::Expr *E);
  bool withoutRest(const clang::Expr *N, const clang::Expr *Rest);
  bool call(const clang::CallExpr *C);
};

} // namespace kpipe

#endif // KPIPE_CODE_MULTIPLES_H
