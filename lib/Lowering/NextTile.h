// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the copy of the next tile becomes that of the turn's own: where
// it says the loop's counter and a step, it says the counter.
#ifndef KPIPE_LOWERING_NEXTTILE_H
#define KPIPE_LOWERING_NEXTTILE_H

#include "Emission/SourceText.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

namespace kpipe {

class NextTile {
public:
  /// \param Step by which the counter is advanced; null: by one.
  NextTile(const SourceText &Source, const clang::VarDecl *Counter,
           const clang::Expr *Step)
      : Source(Source), Counter(Counter), Step(Step) {}

  /// Is an expression the counter's value in the next turn?
  bool isNext(const clang::Expr *E) const;
  /// Changes what S says of the next turn. \param Within what is changed as a
  /// whole: names of what is declared there stay.
  void change(const clang::Stmt *S, const clang::Stmt *Within);

  std::set<Edit> Edits;
  /// Expressions that are not there any more.
  llvm::SmallPtrSet<const clang::Stmt *, 16> Gone;
  bool InMacro = false; ///< something cannot be changed

private:
  const SourceText &Source;
  const clang::VarDecl *Counter;
  const clang::Expr *Step;

  bool isCounter(const clang::Expr *E) const;
  bool isStep(const clang::Expr *E) const;
  bool dropStep(const clang::BinaryOperator *Sum);
  void replace(const clang::Expr *E, std::string Text);
};

} // namespace kpipe

#endif // KPIPE_LOWERING_NEXTTILE_H
