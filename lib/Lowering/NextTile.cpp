// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NextTile.h"
#include "Code/AstUtils.h"
#include "llvm/ADT/FoldingSet.h"

using namespace clang;

namespace kpipe {

bool NextTile::isCounter(const Expr *E) const {
  return mentionedVariable(E) == Counter;
}

bool NextTile::isStep(const Expr *E) const {
  const ASTContext &Context = Source.context();
  const std::optional<int64_t> Value = constantValue(E, Context);
  if (!Step)
    return Value == 1;
  if (const auto Known = constantValue(Step, Context); Known || Value)
    return Known == Value;
  llvm::FoldingSetNodeID One, Other;
  E->IgnoreParenImpCasts()->Profile(One, Context, true);
  Step->IgnoreParenImpCasts()->Profile(Other, Context, true);
  return One == Other;
}

bool NextTile::isNext(const Expr *E) const {
  E = E->IgnoreParenImpCasts();
  if (const VarDecl *V = mentionedVariable(E))
    return V != Counter && V->isLocalVarDecl() && V->getInit() &&
           isNext(V->getInit());
  const auto *Sum = dyn_cast<BinaryOperator>(E);
  return Sum && Sum->getOpcode() == BO_Add &&
         ((isCounter(Sum->getLHS()) && isStep(Sum->getRHS())) ||
          (isStep(Sum->getLHS()) && isCounter(Sum->getRHS())));
}

void NextTile::replace(const Expr *E, std::string Text) {
  std::optional<Range> R = Source.expression(E);
  if (!R) {
    InMacro = true;
    return;
  }
  Edits.insert({R->Begin, R->size(), std::move(Text)});
  Gone.insert(E);
}

/// The terms of a sum, each with the node that adds it; the first one has none.
static void
termsOf(const Expr *E, const BinaryOperator *AddedBy,
        llvm::SmallVectorImpl<std::pair<const Expr *, const BinaryOperator *>>
            &To) {
  const auto *Sum = dyn_cast<BinaryOperator>(E->IgnoreImpCasts());
  if (!Sum || Sum->getOpcode() != BO_Add) {
    To.push_back({E, AddedBy});
    return;
  }
  termsOf(Sum->getLHS(), AddedBy, To);
  termsOf(Sum->getRHS(), Sum, To);
}

/// `row * K + k + BK + col`: without the step, if it has both.
bool NextTile::dropStep(const BinaryOperator *Sum) {
  llvm::SmallVector<std::pair<const Expr *, const BinaryOperator *>, 4> Terms;
  termsOf(Sum, nullptr, Terms);
  size_t Counted = Terms.size(), Stepped = Terms.size();
  for (size_t I = 0; I != Terms.size(); ++I) {
    if (Counted == Terms.size() && isCounter(Terms[I].first))
      Counted = I;
    else if (Stepped == Terms.size() && isStep(Terms[I].first))
      Stepped = I;
  }
  if (Counted == Terms.size() || Stepped == Terms.size())
    return false;
  const Expr *Gone = Terms[Stepped].first;
  std::optional<Range> R = Source.expression(Gone), Edge;
  if (Stepped) {
    // With the operator in front of it.
    Edge = Source.expression(Terms[Stepped].second->getLHS());
    if (R && Edge)
      R->Begin = Edge->End;
  } else {
    Edge = Source.expression(Terms[1].first);
    if (R && Edge)
      R->End = Edge->Begin;
  }
  if (!R || !Edge || R->End <= R->Begin) {
    InMacro = true;
    return true;
  }
  Edits.insert({R->Begin, R->size(), ""});
  this->Gone.insert(Gone);
  return true;
}

void NextTile::change(const Stmt *S, const Stmt *Within) {
  if (!S || Gone.count(S))
    return;
  if (const auto *P = dyn_cast<ParenExpr>(S);
      P && isNext(P) && isa<BinaryOperator>(P->getSubExpr()->IgnoreImpCasts()))
    return replace(P, Counter->getNameAsString());
  if (const auto *D = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && isNext(D) && pathTo(declarationOf(V, Within), Within).empty())
      replace(D, Counter->getNameAsString());
    return;
  }
  if (const auto *Sum = dyn_cast<BinaryOperator>(S);
      Sum && Sum->getOpcode() == BO_Add && dropStep(Sum)) {
    for (const Stmt *Child : S->children())
      change(Child, Within);
    return;
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One); V && V->getInit())
        change(V->getInit(), Within);
    return;
  }
  for (const Stmt *Child : S->children())
    change(Child, Within);
}

} // namespace kpipe
