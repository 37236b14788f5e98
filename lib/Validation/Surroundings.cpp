// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks outwards from a loop, see Surroundings.h: through the blocks, branches
// and loops around it, then through the calls of its function. Where labels or
// a switch make the way hard to tell, everything runs before and behind it.

#include "Surroundings.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MaxCallers = 6; ///< one above the other

/// The statements around one, innermost first.
class AncestorFinder : public RecursiveASTVisitor<AncestorFinder> {
public:
  explicit AncestorFinder(const Stmt *Wanted) : Wanted(Wanted) {}
  llvm::SmallVector<const Stmt *, 8> Ancestors;
  /// Wanted and everything in it.
  llvm::SmallPtrSet<const Stmt *, 32> Within;
  bool HasLabel = false;

  bool shouldVisitImplicitCode() const { return true; }
  bool dataTraverseStmtPre(Stmt *S) {
    HasLabel |= isa<LabelStmt, IndirectGotoStmt>(S);
    if (S == Wanted) {
      Found = true;
      Ancestors.assign(Open.rbegin(), Open.rend());
    }
    if (S == Wanted || llvm::is_contained(Open, Wanted))
      Within.insert(S);
    Open.push_back(S);
    return true;
  }
  bool dataTraverseStmtPost(Stmt *) {
    Open.pop_back();
    return true;
  }

private:
  const Stmt *Wanted;
  bool Found = false;
  llvm::SmallVector<const Stmt *, 16> Open;
};

class Walk {
public:
  explicit Walk(Surroundings &Out) : Out(Out) {}

  /// \param Inner the loop, or the call that leads to it.
  void run(const Stmt *Inner, const Frame &In, unsigned Level) {
    AncestorFinder F(Inner);
    F.TraverseStmt(const_cast<Stmt *>(In.Function->getBody()));
    Own = std::move(F.Within);
    if (F.Ancestors.empty() || F.HasLabel ||
        llvm::any_of(F.Ancestors, [](const Stmt *S) {
          return isa<SwitchStmt, LambdaExpr, CXXTryStmt>(S);
        }))
      return everything(In, Inner, Level);
    bool Front = true, Back = true; // no barrier up to here
    const Stmt *Child = Inner;
    for (const Stmt *Parent : F.Ancestors) {
      step(Parent, Child, In, Front, Back);
      Child = Parent;
    }
    if (In.Function->hasAttr<CUDAGlobalAttr>())
      return;
    callers(In, Front, Back, Level);
  }

private:
  Surroundings &Out;
  llvm::SmallPtrSet<const Stmt *, 32> Own; ///< the loop's, or the call's

  void add(const Access &A, llvm::SmallVectorImpl<Access> &To) {
    if (!Own.count(A.Outer))
      To.push_back(A);
  }
  void take(const Accesses &A, llvm::SmallVectorImpl<Access> &To) {
    for (const Access &X : A.All)
      if (&To == &Out.Before ? X.ToEnd : X.FromStart)
        add(X, To);
  }
  /// Runs before the loop. Open: no barrier in between so far.
  void before(const Stmt *S, const Frame &In, bool &Open) {
    if (!Open || !S)
      return;
    Accesses A = accessesOf(S, In);
    take(A, Out.Before);
    Open &= A.Through;
  }
  void after(const Stmt *S, const Frame &In, bool &Open) {
    if (!Open || !S)
      return;
    Accesses A = accessesOf(S, In);
    take(A, Out.After);
    Open &= A.Through;
  }

  void step(const Stmt *Parent, const Stmt *Child, const Frame &In,
            bool &Front, bool &Back) {
    if (const auto *C = dyn_cast<CompoundStmt>(Parent))
      return siblings(C, Child, In, Front, Back);
    if (const auto *I = dyn_cast<IfStmt>(Parent)) {
      if (Child != I->getCond())
        before(I->getCond(), In, Front);
      before(I->getConditionVariableDeclStmt(), In, Front);
      return before(I->getInit(), In, Front);
    }
    if (const auto *F = dyn_cast<ForStmt>(Parent))
      return loop(F, F->getCond(), {F->getCond()}, {F->getInc()}, F->getInit(),
                  In, Front, Back);
    if (const auto *W = dyn_cast<WhileStmt>(Parent))
      return loop(W, W->getCond(), {W->getCond()}, {}, nullptr, In, Front,
                  Back);
    if (const auto *D = dyn_cast<DoStmt>(Parent))
      return loop(D, D->getCond(), {}, {D->getCond()}, nullptr, In, Front,
                  Back);
    if (const auto *R = dyn_cast<CXXForRangeStmt>(Parent)) {
      loop(R, R->getCond(), {R->getLoopVarStmt(), R->getCond()}, {R->getInc()},
           nullptr, In, Front, Back);
      before(R->getEndStmt(), In, Front);
      before(R->getBeginStmt(), In, Front);
      before(R->getRangeStmt(), In, Front);
      return before(R->getInit(), In, Front);
    }
    if (isa<AttributedStmt>(Parent))
      return;
    // Some other statement or expression around a call: what it does besides
    // may come first or last.
    bool Before = Front, After = Back;
    before(Parent, In, Before);
    after(Parent, In, After);
  }

  void siblings(const CompoundStmt *C, const Stmt *Child, const Frame &In,
                bool &Front, bool &Back) {
    const Stmt *const *At = llvm::find(C->body(), Child);
    for (const Stmt *const *S = At; S != C->body_begin();)
      before(*--S, In, Front);
    for (const Stmt *const *S = At + 1; S < C->body_end(); ++S)
      after(*S, In, Back);
  }

  /// A loop around: what ends its body leads to what begins it.
  /// \param First evaluated before each iteration, \p Last behind each.
  void loop(const Stmt *Around, const Expr *Cond,
            llvm::ArrayRef<const Stmt *> First,
            llvm::ArrayRef<const Stmt *> Last, const Stmt *Init,
            const Frame &In, bool &Front, bool &Back) {
    Out.Again = true;
    bool Round = Back;
    for (const Stmt *S : Last)
      after(S, In, Round);
    for (const Stmt *S : First)
      after(S, In, Round);
    Out.AgainAtOnce |= Round && Front;
    Accesses Turn = accessesOf(Around, In);
    // A loop that never ends by its condition has no end to count from.
    bool Ends = Cond && !Cond->isValueDependent() &&
                !Cond->isCXX11ConstantExpr(In.Index->context());
    for (const Access &A : Turn.All) {
      if (Front && (A.ToEnd || !Ends))
        add(A, Out.Before);
      if (Round && (A.FromStart || !Ends))
        add(A, Out.After);
    }
    Back = Round;
    for (const Stmt *S : First)
      before(S, In, Front);
    before(Init, In, Front);
  }

  void callers(const Frame &In, bool Front, bool Back, unsigned Level) {
    if (!Front && !Back)
      return void(Out.Again = true);
    llvm::ArrayRef<CodeIndex::Call> Calls = In.Index->callsOf(In.Function);
    if (Calls.empty() || In.Index->hidden(In.Function) || Level == MaxCallers)
      return anything(Front, Back);
    if (Calls.size() > 1)
      Out.Again = true;
    for (const CodeIndex::Call &C : Calls) {
      if (!C.In || !C.In->getBody()) {
        anything(Front, Back);
        continue;
      }
      Frame Outer;
      Outer.Function = C.In;
      Outer.Index = In.Index;
      Surroundings There;
      Walk(There).run(C.At, Outer, Level + 1);
      Out.Again |= There.Again;
      Out.AgainAtOnce |= There.AgainAtOnce && Front && Back;
      if (Front)
        Out.Before.append(There.Before);
      if (Back)
        Out.After.append(There.After);
    }
  }

  void anything(bool Front, bool Back) {
    Out.Again = true;
    Access A;
    for (bool Write : {false, true}) {
      A.Write = Write;
      if (Front)
        Out.Before.push_back(A);
      if (Back)
        Out.After.push_back(A);
    }
    Out.AgainAtOnce |= Front && Back;
  }

  /// All of the function runs before and behind the loop.
  void everything(const Frame &In, const Stmt *Inner, unsigned Level) {
    Out.Again = Out.AgainAtOnce = true;
    Accesses A = accessesOf(In.Function->getBody(), In);
    for (const Access &X : A.All) {
      add(X, Out.Before);
      add(X, Out.After);
    }
    if (!In.Function->hasAttr<CUDAGlobalAttr>())
      callers(In, true, true, Level);
  }
};

} // namespace

Surroundings surroundingsOf(const Stmt *Loop, const Frame &In) {
  Surroundings Out;
  Walk(Out).run(Loop, In, 0);
  return Out;
}

} // namespace kpipe
