// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least and the greatest value of an integer expression, in 32 bits: the
// validators' own. Private to the validation.
#ifndef KPIPE_VALIDATION_SPANS_H
#define KPIPE_VALIDATION_SPANS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <array>
#include <optional>

namespace kpipe {

struct Span {
  int64_t Low = 0, High = 0;
};

class Spans {
public:
  /// \param Block its threads on each axis, where that is known.
  Spans(const clang::ASTContext &Context, const clang::Stmt *Function,
        std::optional<std::array<unsigned, 3>> Block);

  std::optional<Span> of(const clang::Expr *E) const;
  /// Is V never changed after it was declared?
  bool isSteady(const clang::VarDecl *V) const { return !Changed.count(V); }
  /// From here on V is what its declaration gives it.
  void declare(const clang::VarDecl *V);
  /// In the body the loop's variable is between its bounds. \returns it, or
  /// null.
  const clang::VarDecl *enter(const clang::ForStmt *F);
  void leave(const clang::VarDecl *Counter) { Known.erase(Counter); }

private:
  const clang::ASTContext &Context;
  const clang::Stmt *Function;
  std::optional<std::array<unsigned, 3>> Block;
  llvm::DenseSet<const clang::ValueDecl *> Changed;
  llvm::DenseMap<const clang::VarDecl *, Span> Known;

  std::optional<Span> ofTable(const clang::ArraySubscriptExpr *A) const;
  std::optional<Span> binary(const clang::BinaryOperator *B) const;
  std::optional<Span> builtin(const clang::PseudoObjectExpr *P) const;
  std::optional<Span> counted(const clang::ForStmt *F, const clang::VarDecl *V,
                              const Span &First) const;
};

} // namespace kpipe

#endif // KPIPE_VALIDATION_SPANS_H
