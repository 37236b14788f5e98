// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Alignments.h.
#include "Alignments.h"
#include "Boxes/Changes.h"
#include "Code/AstUtils.h"
#include "Code/Multiples.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

bool Alignments::ask(const Polynomial &P, unsigned Step) {
  for (const auto &[Product, Factor] : P.Terms) {
    const unsigned Left =
        Step / std::gcd<uint64_t>(uint64_t(std::abs(Factor)), Step);
    if (Left > 1 && !askProduct(Product, Left))
      return false;
  }
  return true;
}

/// One of the factors is to be a multiple: best one that is asked anyway.
bool Alignments::askProduct(const Polynomial::Product &P, unsigned Step) {
  for (unsigned S : P) {
    auto Asked = Numbers.find(S);
    if (isKnown(S, Step) || (Asked != Numbers.end() && Asked->second >= Step))
      return true;
  }
  // Parameters come from where matrices are made: their lengths are even.
  for (bool Parameters : {true, false})
    for (unsigned S : P) {
      const VarDecl *V = At.symbol(S).Var;
      if ((V && isa<ParmVarDecl>(V)) != Parameters || !canBeAsked(S))
        continue;
      if (V && !isSteadyInLoop(V) && !stepsBy(V, Step))
        continue;
      unsigned &Asked = Numbers[S];
      Asked = std::max(Asked, Step);
      return true;
    }
  return false;
}

bool Alignments::beginsInLoop(const VarDecl *V) const {
  return !isa<ParmVarDecl>(V) && V->hasLocalStorage() &&
         !Facts.In->context().getSourceManager().isBeforeInTranslationUnit(
             V->getLocation(), Facts.Tile.Loop->getBeginLoc());
}

bool Alignments::isSteadyInLoop(const VarDecl *V) const {
  auto Changes = changesOf(V, Facts.Tile.Loop);
  return Changes && Changes->empty();
}

/// Whatever the loop adds to V is a multiple.
bool Alignments::stepsBy(const VarDecl *V, unsigned Step) {
  auto Changes = changesOf(V, Facts.Tile.Loop);
  Multiples Of(Facts.In->context(), At.values(), Step);
  return Changes && llvm::all_of(*Changes, [&](const Expr *Change) {
           const Expr *Added = addend(V, Change);
           return (Step == 1 && isa<UnaryOperator>(Change)) ||
                  (Added && (Step == 1 || Of.has(Added)));
         });
}

/// A multiple wherever the loop is.
bool Alignments::isKnown(unsigned Symbol, unsigned Step) {
  const BlockSymbol &S = At.symbol(Symbol);
  Multiples Of(Facts.In->context(), At.values(), Step);
  if (S.Text && Of.has(S.Text))
    return true;
  return S.Var && beginsInLoop(S.Var) && S.Var->hasInit() &&
         Of.keepsStep(S.Var->getType()) && Of.has(S.Var->getInit()) &&
         stepsBy(S.Var, Step);
}

/// A division that may be by zero: a loop without a turn does not divide.
bool Alignments::mayTrap(const Stmt *S) const {
  const auto *B = dyn_cast<BinaryOperator>(S);
  if (B && (B->getOpcode() == BO_Div || B->getOpcode() == BO_Rem)) {
    const auto By = constantValue(B->getRHS(), Facts.In->context());
    if (!By || *By == 0 || *By == -1)
      return true;
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *Kid) { return Kid && mayTrap(Kid); });
}

/// Do all of its names mean in front of the loop what they mean in it, and is
/// there a value in front of a loop without a turn?
bool Alignments::canBeAsked(unsigned Symbol) {
  const BlockSymbol &S = At.symbol(Symbol);
  if (S.Var)
    return !beginsInLoop(S.Var);
  return !mayTrap(S.Text) && !namesAny(S.Text, [&](const VarDecl *V) {
    return V->hasLocalStorage() && (beginsInLoop(V) || !isSteadyInLoop(V));
  });
}

bool Alignments::askPointer(unsigned Symbol, unsigned Bytes) {
  const BlockSymbol &S = At.symbol(Symbol);
  if (!canBeAsked(Symbol))
    return false;
  if (S.Var && !isSteadyInLoop(S.Var)) {
    const QualType T = S.Var->getType()->getPointeeType();
    if (T.isNull() || !hasSize(T))
      return false;
    const unsigned Size =
        Facts.In->context().getTypeSizeInChars(T).getQuantity();
    if (!Size || !stepsBy(S.Var, Bytes / std::gcd(Size, Bytes)))
      return false;
  }
  unsigned &Asked = Pointers[Symbol];
  Asked = std::max(Asked, Bytes);
  return true;
}

} // namespace kpipe
