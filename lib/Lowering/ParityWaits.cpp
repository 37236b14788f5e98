// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bit that every turn flips, a counter, or the header's variable, by their
// form, which holds for any number of tiles. See ParityWaits.h.
#include "ParityWaits.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "Code/Sugar.h"
#include "SharedNumbers.h"
#include "WholeBlock.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

const VarDecl *variableOf(const Expr *E) {
  const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

class PhaseSearch {
public:
  PhaseSearch(const AsyncOp &Wait, llvm::ArrayRef<const Stmt *> Loops,
              const AsyncOps &Ops, const FunctionDecl *Body)
      : Wait(Wait), Ops(Ops), Body(Body), Context(Body->getASTContext()) {
    for (const AsyncOp &Op : Ops.All)
      if (Op.Kind == AsyncKind::WaitForParity && Op.counter() == Wait.counter())
        Known &= addTurn(Op, Loops);
  }

  std::optional<PhaseCount> run() {
    if (!Known || Turns.empty() || !Wait.Parity || hasLabel(Body->getBody()) ||
        llvm::any_of(Turns,
                     [&](const CompoundStmt *T) { return leaves(T, false); }) ||
        !isAlone() || !initialisedOnce() ||
        !isCounted(Wait.Parity->IgnoreParenCasts()) ||
        !llvm::all_of(Turns, [&](const CompoundStmt *T) { return inOrder(T); }))
      return std::nullopt;
    return std::move(Count);
  }

private:
  const AsyncOp &Wait;
  const AsyncOps &Ops;
  const FunctionDecl *Body;
  const ASTContext &Context;
  /// The bodies of all loops that wait at the barrier, which all become plain.
  llvm::SmallVector<const CompoundStmt *, 2> Turns;
  llvm::SmallVector<const Stmt *, 2> Loops, Outer; ///< and loops around them
  PhaseCount Count;
  bool Known = true, InHeader = false;

  bool addTurn(const AsyncOp &Op, llvm::ArrayRef<const Stmt *> Plain) {
    const auto *Turn = dyn_cast_or_null<CompoundStmt>(
        Op.Statement ? Ops.parent(Op.Statement) : nullptr);
    const Stmt *Loop = Turn ? Ops.parent(Turn) : nullptr;
    if (!Loop || !llvm::is_contained(Plain, Loop) || bodyOf(Loop) != Turn)
      return false;
    if (llvm::is_contained(Turns, Turn))
      return true;
    Turns.push_back(Turn);
    Loops.push_back(Loop);
    for (const Stmt *Up = Ops.parent(Loop); Up; Up = Ops.parent(Up))
      if (isLoop(Up))
        Outer.push_back(Up);
    return true;
  }

  /// Is there another turn behind the last one of a loop?
  bool comesAgain() const { return !Outer.empty() || Turns.size() != 1; }

  bool isInLoop(const Stmt *S) const {
    return llvm::any_of(Loops, [&](const Stmt *L) { return Ops.within(S, L); });
  }

  bool isInOuterLoop(const Stmt *S) const {
    return llvm::any_of(Outer, [&](const Stmt *L) { return Ops.within(S, L); });
  }

  /// May a turn end in front of its waits? Who leaves the loop must not come
  /// again.
  bool leaves(const Stmt *S, bool Nested) const {
    if (!S)
      return false;
    if (isa<GotoStmt, IndirectGotoStmt>(S) ||
        (isa<ContinueStmt>(S) && !Nested) ||
        (isa<BreakStmt>(S) && !Nested && comesAgain()) ||
        (isa<ReturnStmt>(S) && comesAgain()))
      return true;
    // What a `continue` in a switch goes on with is the loop.
    if (isa<SwitchStmt>(S))
      return true;
    Nested |= isLoop(S);
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return leaves(Child, Nested);
    });
  }

  /// Nobody else uses the barrier, and no one waits for it in another way.
  bool isAlone() const {
    return llvm::all_of(Ops.All, [&](const AsyncOp &Op) {
      if (Op.counter() != Wait.counter())
        return true;
      if (llvm::none_of(Turns, [&](const CompoundStmt *T) {
            return Ops.within(Op.At, T);
          }))
        return false;
      switch (Op.Kind) {
      case AsyncKind::WaitForParity: // see addTurn()
      case AsyncKind::Copy:
      case AsyncKind::Arrive:
      case AsyncKind::ArriveOn:
      case AsyncKind::ArriveBehind:
        return true;
      default:
        return false;
      }
    });
  }

  /// Before the loop runs for the first time, and not again.
  bool initialisedOnce() const {
    for (const DeclRefExpr *Name : namesOfBarrier(Wait.Object, Ops, Body))
      for (const Stmt *S = Name; S; S = Ops.parent(S))
        if (initialCount(S, Wait.Object)) {
          if (isInOuterLoop(S) || llvm::any_of(Loops, [&](const Stmt *L) {
                return Ops.within(S, L) ||
                       !(S->getBeginLoc() < L->getBeginLoc());
              }))
            return false;
          break;
        }
    return true;
  }

  bool isCounted(const Expr *Parity) {
    if (const VarDecl *V = variableOf(Parity))
      return isOwn(V, 0) && startsAt(V) == 0 && steps(V, flipsParity);
    // `t & 1`, `t % 2`, `(t - 1) & 1`
    const auto *B = dyn_cast<BinaryOperator>(Parity);
    const auto Right =
        B ? constantValue(B->getRHS(), Context) : std::optional<int64_t>();
    if (!B || !((B->getOpcode() == BO_And && Right == 1) ||
                (B->getOpcode() == BO_Rem && Right == 2)))
      return false;
    int64_t More = 0;
    const Expr *Number = withoutOffset(B->getLHS()->IgnoreParenCasts(), More);
    const VarDecl *V = variableOf(Number);
    return (V && isOwn(V, More) && steps(V, isOneMore)) ||
           isOfHeader(Number, More);
  }

  /// `t` of `t - 1`.
  const Expr *withoutOffset(const Expr *E, int64_t &More) const {
    const auto *B = dyn_cast<BinaryOperator>(E);
    const auto By = B && B->isAdditiveOp() ? constantValue(B->getRHS(), Context)
                                           : std::optional<int64_t>();
    if (!By || *By < 0 || *By > 1 << 20)
      return E;
    More = B->getOpcode() == BO_Add ? *By : -*By;
    return B->getLHS()->IgnoreParenCasts();
  }

  std::optional<int64_t> startsAt(const VarDecl *V) const {
    return V->getInit() ? constantValue(V->getInit(), Context) : std::nullopt;
  }

  /// Is the first parity that is asked for 0? A remainder of what is negative
  /// is none.
  bool startsEven(const VarDecl *V, int64_t More) const {
    const auto First = startsAt(V);
    return First && *First >= 0 && *First <= 1 << 20 && *First + More >= 0 &&
           (*First + More) % 2 == 0;
  }

  /// A variable of the thread's that begins as 0 when the barrier does.
  bool isOwn(const VarDecl *V, int64_t More) const {
    if (!V->hasLocalStorage() || isa<ParmVarDecl>(V) || !V->getInit() ||
        !V->getType()->isIntegralOrEnumerationType() ||
        V->getType().isVolatileQualified() || !startsEven(V, More))
      return false;
    const Stmt *D = declarationOf(V, Body->getBody());
    return D && !isInLoop(D) && !isInOuterLoop(D) &&
           isa_and_nonnull<CompoundStmt>(Ops.parent(D));
  }

  /// Whatever names it but to read it is such a step, in the loop's body.
  bool steps(const VarDecl *V,
             bool (*Is)(const Expr *, const VarDecl *, const ASTContext &)) {
    Count.Var = V;
    for (const CompoundStmt *Turn : Turns)
      for (const Stmt *S : Turn->body())
        if (const auto *E = dyn_cast<Expr>(S); E && Is(E, V, Context))
          Count.Steps.push_back(S);
    return !Count.Steps.empty() && onlyRead(V);
  }

  bool onlyRead(const VarDecl *V) const {
    return llvm::all_of(
        namesOf(V, Body->getBody()), [&](const DeclRefExpr *Name) {
          const Stmt *Up = Ops.parent(Name);
          while (isa_and_nonnull<ParenExpr>(Up))
            Up = Ops.parent(Up);
          const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Up);
          return (Cast && Cast->getCastKind() == CK_LValueToRValue) ||
                 llvm::any_of(Count.Steps,
                              [&](const Stmt *Step) {
                                return Ops.within(Name, Step);
                              }) ||
                 llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
                   return Op.Kind == AsyncKind::WaitForParity &&
                          Ops.within(Name, Op.Statement);
                 });
        });
  }

  static bool isOneMore(const Expr *E, const VarDecl *V,
                        const ASTContext &Context) {
    E = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->isIncrementOp() && variableOf(U->getSubExpr()) == V;
    // One more than true is true.
    const auto *B = dyn_cast<BinaryOperator>(E);
    return B && B->getOpcode() == BO_AddAssign &&
           !V->getType()->isBooleanType() && variableOf(B->getLHS()) == V &&
           constantValue(B->getRHS(), Context) == 1;
  }

  /// `t` where the header counts 0, 1, 2; `k / BK` where k goes on by BK.
  bool isOfHeader(const Expr *E, int64_t More) {
    int64_t Step = 1;
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      const auto By = constantValue(B->getRHS(), Context);
      if (!By || *By <= 0 || *By > 1 << 20 || More)
        return false;
      if (B->getOpcode() == BO_Div)
        Step = *By;
      else if (B->getOpcode() == BO_Shr && *By < 20)
        Step = int64_t(1) << *By;
      else
        return false;
      E = B->getLHS();
    }
    const VarDecl *V = variableOf(E);
    const auto *F = dyn_cast<ForStmt>(Loops.front());
    const auto *D = F ? dyn_cast_or_null<DeclStmt>(F->getInit()) : nullptr;
    // Where the loop runs again the header begins at 0, the barrier does not.
    if (!V || !D || comesAgain() || !llvm::is_contained(D->decls(), V) ||
        !V->getType()->isIntegerType() || V->getType()->isBooleanType() ||
        !(Step == 1 ? startsEven(V, More) : startsAt(V) == 0) ||
        !isStep(F->getInc(), V, Step))
      return false;
    Count.Var = V;
    Count.Steps = {F->getInc()};
    InHeader = onlyRead(V);
    Count.Steps.clear();
    return InHeader;
  }

  /// With other variables' steps beside it.
  bool isStep(const Expr *Inc, const VarDecl *V, int64_t Step) const {
    if (!Inc)
      return false;
    Inc = Inc->IgnoreParenCasts();
    const auto *B = dyn_cast<BinaryOperator>(Inc);
    if (B && B->getOpcode() == BO_Comma) {
      const bool Left = !namesOf(V, B->getLHS()).empty();
      const bool Right = !namesOf(V, B->getRHS()).empty();
      return Left != Right && isStep(Left ? B->getLHS() : B->getRHS(), V, Step);
    }
    if (Step == 1)
      return isOneMore(Inc, V, Context);
    return B && B->getOpcode() == BO_AddAssign &&
           variableOf(B->getLHS()) == V && namesOf(V, B->getRHS()).empty() &&
           constantValue(B->getRHS(), Context) == Step;
  }

  /// Arrivals, a wait, one step, and so on to the turn's end.
  bool inOrder(const CompoundStmt *Turn) const {
    bool Arrived = false, Stepped = true;
    unsigned Waits = 0;
    for (const Stmt *S : Turn->body()) {
      if (llvm::is_contained(Count.Steps, S)) {
        if (Stepped)
          return false;
        Stepped = true;
      }
      for (const AsyncOp &Op : Ops.All) {
        if (Op.counter() != Wait.counter() || !Ops.within(Op.At, S))
          continue;
        if (Op.Kind == AsyncKind::WaitForParity) {
          if (!Arrived || !Stepped)
            return false;
          Arrived = Stepped = false;
          ++Waits;
        } else if (Op.Kind == AsyncKind::Arrive ||
                   Op.Kind == AsyncKind::ArriveBehind) {
          Arrived = true;
        }
      }
    }
    return !Arrived && (InHeader ? Waits == 1 : Stepped);
  }
};

} // namespace

bool isOnlyCounted(const PhaseCount &Phase, const AsyncOps &Ops,
                   const FunctionDecl *Body,
                   llvm::function_ref<bool(const Stmt *)> IsGone) {
  // A macro may do more than its step.
  if (!Phase.Var || llvm::any_of(Phase.Steps, [](const Stmt *S) {
        return S->getBeginLoc().isMacroID();
      }))
    return false;
  return llvm::all_of(
      namesOf(Phase.Var, Body->getBody()), [&](const DeclRefExpr *Name) {
        return llvm::any_of(
                   Phase.Steps,
                   [&](const Stmt *S) { return Ops.within(Name, S); }) ||
               llvm::any_of(Ops.All, [&](const AsyncOp &Op) {
                 return Op.Kind == AsyncKind::WaitForParity &&
                        IsGone(Op.Statement) && Ops.within(Name, Op.Statement);
               });
      });
}

bool isAwaitedByParity(const AsyncOp &Op, const Stmt *Loop,
                       const AsyncOps &Ops) {
  return llvm::any_of(Ops.All, [&](const AsyncOp &Wait) {
    return Wait.Kind == AsyncKind::WaitForParity &&
           Wait.counter() == Op.counter() && Ops.within(Wait.At, Loop);
  });
}

std::optional<PhaseCount> phaseOfTurn(const AsyncOp &Wait,
                                      llvm::ArrayRef<const Stmt *> Loops,
                                      const AsyncOps &Ops,
                                      const FunctionDecl *Body) {
  return PhaseSearch(Wait, Loops, Ops, Body).run();
}

} // namespace kpipe
