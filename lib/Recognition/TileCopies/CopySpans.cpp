// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bound and the start have in common goes when one is taken from the
// other; a thread's own index only makes the way shorter. See CopySpans.h.

#include "CopySpans.h"
#include "Code/AstUtils.h"
#include "Code/KnownFunctions.h"
#include "Code/Sugar.h"
#include "Recognition/Sums/PathConditions.h"
#include "Recognition/Sums/SteadySums.h"
#include "Support/RuleSwitch.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class SpanCounter {
public:
  explicit SpanCounter(LoopFacts &Facts)
      : Facts(Facts), Context(Facts.In->context()), Sums(Facts),
        Known(Context) {
    Known.Block = Facts.In->block();
  }

  void run() {
    for (TileCopy &C : Facts.Tile.Copies)
      for (CopyLoop &L : C.Loops)
        if (!C.Helper && !L.Trips && L.Bound && L.Index)
          count(L);
  }

private:
  LoopFacts &Facts;
  ASTContext &Context;
  SteadySums Sums;
  Values Known;

  void count(CopyLoop &L) {
    const auto *Cond =
        dyn_cast<BinaryOperator>(L.For->getCond()->IgnoreParenImpCasts());
    const bool OrEqual = Cond && Cond->getOpcode() == BO_LE;
    if (!Cond || (!OrEqual && Cond->getOpcode() != BO_LT) ||
        L.Compare == CopyLoop::Test::StepFits ||
        mentionedVariable(Cond->getLHS()) != L.Index ||
        Sums.countsUp(L.For) != L.Index || !isInt(L.Index->getType()))
      return;
    Known.AskedForBlock = 0;
    const auto Step = L.Step ? Known.evaluate(L.Step) : 1;
    if (!Step || *Step <= 0 || *Step > llvm::maxIntN(20))
      return;
    const unsigned Axes = Known.AskedForBlock;
    if (Axes && !isa<PseudoObjectExpr>(L.Step->IgnoreParenImpCasts()))
      return;
    const Expr *End = L.Bound;
    auto Most = span(L, End);
    // Of two ends the lesser counts: one of which the way is known will do.
    if (const CallExpr *Least = Most ? nullptr : minimum(End))
      for (unsigned I = 0; I != 2 && !Most; ++I)
        Most = span(L, End = Least->getArg(I));
    if (!Most || *Most > llvm::maxIntN(24))
      return;
    const int64_t Span = std::max<int64_t>(*Most + OrEqual, 1);
    L.SharesStart = true;
    L.Compare = OrEqual ? CopyLoop::Test::LessEqual : CopyLoop::Test::Less;
    L.ConstantInit = L.ConstantInitIsZero = false;
    L.Partly = CopyLoop::Partial::Any;
    L.BlockAxes = Axes;
    L.Block = Facts.In->block().value_or(L.Block);
    L.Trips = uint64_t(Span + *Step - 1) / uint64_t(*Step);
    if (!spell(End, false, L.Span) || !spell(L.Init, true, L.Span) ||
        total(L.Span) != *Most)
      L.Span.clear();
  }

  /// A sum of ints that leaves them is no program's.
  bool isInt(QualType T) const {
    return T->isSignedIntegerType() && Context.getIntWidth(T) >= 32;
  }

  const BodyItem *itemOf(const Stmt *S) const {
    for (const BodyItem &I : Facts.Tile.Body)
      if (!pathTo(S, I.S).empty())
        return &I;
    return nullptr;
  }

  /// `min(a, b)` of ints, or a variable of the tile's or the kernel's own that
  /// keeps that.
  const CallExpr *minimum(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    const VarDecl *V = mentionedVariable(E);
    if (V && V->hasInit() && V->hasLocalStorage() && !isa<ParmVarDecl>(V) &&
        isInt(V->getType()) && Known.unchanged(V))
      E = V->getInit()->IgnoreParenImpCasts();
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C ? C->getDirectCallee() : nullptr;
    // A variable from before the loop was made of what it is no more.
    const bool Here =
        E == C && (!V || llvm::any_of(Facts.Tile.Body, [&](const BodyItem &I) {
          const auto *D = dyn_cast<DeclStmt>(I.S);
          return D && llvm::is_contained(D->decls(), V);
        }));
    return F && Here && F->getIdentifier() && F->getName() == "min" &&
                   C->getNumArgs() == 2 && isInt(C->getType()) &&
                   (isToolkits(F) || F->isInStdNamespace())
               ? C
               : nullptr;
  }

  /// What End is more than Init, at most.
  std::optional<int64_t> span(const CopyLoop &L, const Expr *Until) {
    const BodyItem *Item = itemOf(L.For);
    const Surrounding Around =
        Item ? surroundingOf(L.For, Item->S) : Surrounding();
    if (!Item || !Around.Known)
      return std::nullopt;
    const SteadySum First = Sums.of(L.Init, Around.Loops),
                    End = Sums.of(Until, Around.Loops);
    const Sum Apart = add(End.Of, First.Of, -1);
    if (!Apart.Known)
      return std::nullopt;
    if (ruleIsSwitchedOff("copy-spans"))
      return std::max<int64_t>(Apart.Constant, 0);
    Sum Own = times(Apart, -1);
    Own.Constant = 0;
    // Nothing but what is shared and what is the thread's own may be in it.
    if (!First.isExact() || !End.isExact() || !isInt(L.Bound->getType()) ||
        !isInt(Until->getType()) || !Sums.isNeverNegative(Own) ||
        Apart.Constant < 0)
      return std::nullopt;
    return Apart.Constant;
  }

  /// The constants that E is a sum of, but for what is none.
  bool spell(const Expr *E, bool Minus,
             llvm::SmallVectorImpl<CopyLoop::Addend> &To, unsigned Deep = 8) {
    const Expr *Plain = E->IgnoreParenImpCasts();
    if (auto Value = Known.evaluate(Plain)) {
      if (*Value)
        To.push_back({Plain, Minus});
      return true;
    }
    const auto *B = dyn_cast<BinaryOperator>(Plain);
    if (B && (B->getOpcode() == BO_Add || B->getOpcode() == BO_Sub))
      return Deep && spell(B->getLHS(), Minus, To, Deep - 1) &&
             spell(B->getRHS(), Minus ^ (B->getOpcode() == BO_Sub), To,
                   Deep - 1);
    const VarDecl *V = mentionedVariable(Plain);
    if (V && V->hasInit() && !isa<ParmVarDecl>(V) && Known.unchanged(V))
      return Deep && spell(V->getInit(), Minus, To, Deep - 1);
    return true;
  }

  int64_t total(llvm::ArrayRef<CopyLoop::Addend> All) {
    int64_t Sum = 0;
    for (const CopyLoop::Addend &A : All)
      Sum += Known.evaluate(A.Constant).value_or(0) * (A.Minus ? -1 : 1);
    return Sum;
  }
};

} // namespace

void countCopySpans(LoopFacts &Facts) { SpanCounter(Facts).run(); }

} // namespace kpipe
