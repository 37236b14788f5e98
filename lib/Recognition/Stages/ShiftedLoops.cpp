// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first value of a loop's variable stands for the variable, whose turns are
// the same in all tiles. See ShiftedLoops.h.

#include "ShiftedLoops.h"
#include "Code/AstUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

bool placesComeAgain(llvm::ArrayRef<const Expr *> Subscripts,
                     llvm::ArrayRef<const ForStmt *> Loops,
                     const VarSet &Variant, SteadySums &Sums) {
  return !Subscripts.empty() && llvm::all_of(Subscripts, [&](const Expr *E) {
    SteadySum At = Sums.of(E, Loops);
    // Inner loops may begin where outer ones are.
    for (size_t I = Loops.size(); At.isExact() && I-- != 0;) {
      const VarDecl *V = Sums.countsUp(Loops[I]);
      const auto Times = V ? Sums.factorOf(V, At.Of) : 0;
      if (!Times)
        return false;
      if (!*Times)
        continue;
      const Expr *First = Sums.firstValue(Loops[I], V);
      const SteadySum Own = Sums.variableOf(V),
                      Begin = First ? Sums.of(First, Loops.take_front(I))
                                    : SteadySum();
      if (!Own.isExact() || !Begin.isExact())
        return false;
      At.Of = add(add(At.Of, Own.Of, -*Times), Begin.Of, *Times);
    }
    return At.isExact() && !Sums.varies(At.Of, Variant);
  });
}

bool turnAlike(llvm::ArrayRef<const ForStmt *> Loops, const VarSet &Variant,
               SteadySums &Sums) {
  for (size_t I = 0; I != Loops.size(); ++I) {
    const VarDecl *V = Sums.countsUp(Loops[I]);
    const Expr *First = V ? Sums.firstValue(Loops[I], V) : nullptr;
    const auto *Cond = dyn_cast_or_null<BinaryOperator>(
        Loops[I]->getCond() ? Loops[I]->getCond()->IgnoreParenImpCasts()
                            : nullptr);
    if (!First || !Cond ||
        (Cond->getOpcode() != BO_LT && Cond->getOpcode() != BO_LE) ||
        mentionedVariable(Cond->getLHS()) != V ||
        !V->getType()->isSignedIntegerType() ||
        !Cond->getRHS()->getType()->isSignedIntegerType())
      return false;
    const SteadySum Begin = Sums.of(First, Loops.take_front(I)),
                    End = Sums.of(Cond->getRHS(), Loops.take_front(I));
    if (!Begin.isExact() || !End.isExact() ||
        Sums.varies(add(End.Of, Begin.Of, -1), Variant))
      return false;
  }
  return true;
}

} // namespace kpipe
