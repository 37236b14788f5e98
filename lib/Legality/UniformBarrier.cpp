// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule uniform-barrier. A pipelined loop has one barrier a tile where the
// input had two. Threads that pass the barriers of another branch meanwhile are
// counted by the same hardware barrier, so their numbers would no longer match.

#include "Code/AstUtils.h"
#include "Code/EqualTrips.h"
#include "Code/InlineAssembly.h"
#include "Code/Jumps.h"
#include "Code/KnownFunctions.h"
#include "Code/ThreadDependence.h"
#include "Rules.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

/// A function on the way from a kernel to the loop, and what it does while only
/// some of the threads are there.
class Level {
public:
  /// \param Inside the loop, or the call that leads to it.
  Level(const Scope &In, const Stmt *Inside)
      : In(In), Inside(Inside), Threads(In.function(), In.calls()) {}

  const ThreadDependence &threads() const { return Threads; }

  /// Where the threads that go on to the loop leave others behind, or null.
  const Stmt *split() const {
    const Stmt *Body = In.function()->getBody();
    auto Path = pathTo(Inside, Body);
    for (unsigned I = 0; I != Path.size(); ++I)
      if (const Expr *Condition = conditionOf(Path[I]);
          (I + 1 == Path.size() || Condition != Path[I + 1]) && splits(Path[I]))
        return Path[I];
    if (const auto *F = dyn_cast<ForStmt>(Inside);
        F && startsApart(F) && !hasEqualTrips(F, Threads, In))
      return F;
    return jump(Body, false, {Jumps::Returns, Jumps::Anywhere, Jumps::OfLoops});
  }

  /// A barrier that the others pass, or null.
  const Stmt *otherBarrier() const {
    const Stmt *Body = In.function()->getBody();
    // Where a barrier stands says nothing about who passes it, if some threads
    // jump, or if those of the loop return from their branch.
    bool Anywhere = jump(Body, false, {Jumps::Anywhere, Jumps::OfLoops});
    for (const Stmt *S : pathTo(Inside, Body))
      Anywhere |= S != Inside && splits(S) && jump(S, true, {Jumps::Returns});
    return otherBarrier(Body, Anywhere);
  }

private:
  const Scope &In;
  const Stmt *Inside;
  ThreadDependence Threads;

  enum class Jumps {
    Returns,
    Anywhere, ///< by a goto
    OfLoops,  ///< out of what the loop stands in, or into its next turn
    Continues, ///< the latter
  };

  /// Do some threads run a part of S that others do not, or not as often?
  bool splits(const Stmt *S) const {
    if (!Threads.dependent(conditionOf(S)))
      return false;
    const auto *F = dyn_cast<ForStmt>(S);
    return !F || !hasEqualTrips(F, Threads, In);
  }

  /// Where no thread of the loop's block ever comes to the other branch of S:
  /// the branch that the loop is in. Else null.
  const Stmt *onlyBranch(const Stmt *S) const {
    const auto *If = dyn_cast<IfStmt>(S);
    const FunctionDecl *F = In.function();
    // Who calls a helper may call it again.
    if (!If || !If->getElse() || !F->hasAttr<CUDAGlobalAttr>() ||
        Threads.dependent(If->getCond()) || hasLabel(If) ||
        jump(F->getBody(), true, {Jumps::Anywhere}) ||
        llvm::any_of(pathTo(If, F->getBody()),
                     [](const Stmt *On) { return isLoop(On); }))
      return nullptr;
    if (!pathTo(Inside, If->getThen()).empty())
      return If->getThen();
    return pathTo(Inside, If->getElse()).empty() ? nullptr : If->getElse();
  }

  /// Does S have a label of a switch around it?
  static bool hasLabel(const Stmt *S) {
    return S && (isa<SwitchCase>(S) ||
                 (!isa<SwitchStmt, LambdaExpr>(S) &&
                  llvm::any_of(S->children(), hasLabel)));
  }

  static bool hasInnerLabel(const SwitchStmt *W) {
    return llvm::any_of(W->getBody()->children(), [](const Stmt *S) {
      while (const auto *Label = dyn_cast_or_null<SwitchCase>(S))
        S = Label->getSubStmt();
      return hasLabel(S);
    });
  }

  static bool is(const Stmt *S, Jumps Kind) {
    switch (Kind) {
    case Jumps::Returns:
      return isa<ReturnStmt>(S);
    case Jumps::Anywhere:
      return isa<GotoStmt, IndirectGotoStmt>(S);
    case Jumps::OfLoops:
      return isa<BreakStmt, ContinueStmt>(S);
    case Jumps::Continues:
      return isa<ContinueStmt>(S);
    }
    llvm_unreachable("no other kinds");
  }

  /// A jump outside of the loop that not every thread takes.
  /// \param Apart whether all of S is under such a condition.
  const Stmt *jump(const Stmt *S, bool Apart,
                   llvm::ArrayRef<Jumps> Kinds) const {
    if (!S || S == Inside)
      return nullptr;
    if (Apart && llvm::any_of(Kinds, [&](Jumps K) { return is(S, K); }))
      return S;
    // What other loops do ends in them, and so does the break of a switch.
    llvm::SmallVector<Jumps, 3> Outward(Kinds);
    if ((isLoop(S) || isa<SwitchStmt>(S)) && pathTo(Inside, S).empty())
      llvm::erase_if(Outward, [&](Jumps &K) {
        if (isa<SwitchStmt>(S) && K == Jumps::OfLoops)
          K = Jumps::Continues;
        return isLoop(S) && (K == Jumps::OfLoops || K == Jumps::Continues);
      });
    Apart |= splits(S);
    for (const Stmt *Child : S->children())
      if (const Stmt *Found = jump(Child, Apart, Outward))
        return Found;
    return nullptr;
  }

  /// Do the threads begin with tiles of their own?
  bool startsApart(const ForStmt *F) const {
    const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit());
    return D && llvm::any_of(D->decls(), [&](const Decl *X) {
             const auto *V = dyn_cast<VarDecl>(X);
             return V && Threads.dependent(V->getInit());
           });
  }

  /// Do some threads leave a loop beside the tile loop before others do?
  bool leftApart(const Stmt *S) const {
    return isLoop(S) && pathTo(Inside, S).empty() &&
           llvm::any_of(S->children(), [&](const Stmt *Child) {
             return jump(Child, false, {Jumps::OfLoops});
           });
  }

  const Stmt *otherBarrier(const Stmt *S, bool Anywhere) const {
    if (!S || S == Inside || isa<LambdaExpr>(S))
      return nullptr;
    if (const Stmt *Own = onlyBranch(S))
      return otherBarrier(Own, Anywhere);
    // Threads come into a branch by a label in it.
    if (const auto *W = dyn_cast<SwitchStmt>(S))
      Anywhere |= splits(W) && hasInnerLabel(W);
    if (Anywhere || splits(S) || leftApart(S))
      for (const Stmt *Branch : branches(S))
        if (const Stmt *Found = barrierIn(Branch))
          return Found;
    for (const Stmt *Child : S->children())
      if (const Stmt *Found = otherBarrier(Child, Anywhere))
        return Found;
    return nullptr;
  }

  static llvm::SmallVector<const Stmt *, 8> branches(const Stmt *S) {
    llvm::SmallVector<const Stmt *, 8> Out;
    for (const Stmt *Child : S->children())
      if (Child && isa<SwitchStmt>(S) && isa<CompoundStmt>(Child))
        llvm::append_range(Out, Child->children());
      else if (Child && Child != conditionOf(S))
        Out.push_back(Child);
    return Out;
  }

  const Stmt *barrierIn(const Stmt *Branch) const {
    if (!Branch || !pathTo(Inside, Branch).empty())
      return nullptr;
    for (const Event &E : effectsOf(Branch, In).Events)
      if (E.Kind == EventKind::BlockBarrier ||
          E.Kind == EventKind::ValueBarrier)
        return E.At;
    return nullptr;
  }
};

/// Finds a split and a barrier beside it in the function that has the loop and
/// in those that call it.
struct SplitAndBarrier {
  const Stmt *Split = nullptr, *Barrier = nullptr;

  void look(const Level &L) {
    if (!Split)
      Split = L.split();
    if (!Barrier)
      Barrier = L.otherBarrier();
  }
  bool found() const { return Split && Barrier; }

  void lookAtCallers(const Scope &Of, unsigned Depth) {
    const CallIndex *Calls = Of.calls();
    // All threads of a launch begin the kernel, whatever the host does.
    if (!Calls || Depth == 4 || found() ||
        Of.function()->hasAttr<CUDAGlobalAttr>())
      return;
    auto All = Calls->Calls.find(Of.function()->getCanonicalDecl());
    if (All == Calls->Calls.end())
      return;
    for (const CallExpr *C : All->second) {
      const FunctionDecl *From = Calls->CallerOf.lookup(C);
      if (!From || From == Of.function() || !From->getBody())
        continue;
      Scope Caller(Of.context(), From, Calls);
      Caller.setBlock(Of.blockSize());
      SplitAndBarrier OnThisWay = *this;
      OnThisWay.look(Level(Caller, C));
      OnThisWay.lookAtCallers(Caller, Depth + 1);
      if (OnThisWay.found()) {
        *this = OnThisWay;
        return;
      }
    }
  }
};

} // namespace

namespace {

/// Looks for a barrier in the loop's body that not every thread passes, or not
/// equally often, in helpers and closures too.
class UnevenBarriers {
public:
  explicit UnevenBarriers(const CallIndex *Calls) : Calls(Calls) {}

  /// \param Apart whether only some threads come to S.
  const Stmt *in(const Stmt *S, const ThreadDependence &Threads, bool Apart) {
    if (!S || isa<LambdaExpr>(S))
      return nullptr;
    if (const auto *C = dyn_cast<CallExpr>(S))
      if (waits(C, Threads, Apart))
        return S;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S);
        A && Apart && classifyAsm(A->getAsmString()).Waits)
      return S;
    const Expr *Condition = conditionOf(S);
    const bool Inner = Apart || Threads.dependent(Condition);
    const bool Loops = isLoop(S);
    for (const Stmt *Child : S->children())
      if (const Stmt *Found =
              in(Child, Threads, Child == Condition && !Loops ? Apart : Inner))
        return Found;
    return nullptr;
  }

private:
  const CallIndex *Calls;
  llvm::SmallVector<const FunctionDecl *, 4> Inside;
  /// Functions that were asked, which most barriers are not in.
  llvm::DenseMap<const FunctionDecl *, bool> MayWait;

  bool mayWait(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    if (const auto *A = dyn_cast<GCCAsmStmt>(S))
      return classifyAsm(A->getAsmString()).Waits;
    if (const auto *C = dyn_cast<CallExpr>(S)) {
      const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
      const CallKind Kind = F ? classifyCall(F) : CallKind::Unknown;
      if (Kind == CallKind::BlockBarrier || Kind == CallKind::ValueBarrier)
        return true;
      if (Kind == CallKind::Ordinary && F->hasBody(Definition)) {
        // One that calls itself is being asked.
        auto [At, New] = MayWait.try_emplace(Definition, false);
        if (New && mayWait(Definition->getBody()))
          MayWait[Definition] = true;
        if (MayWait[Definition])
          return true;
      }
    }
    return llvm::any_of(S->children(),
                        [&](const Stmt *Child) { return mayWait(Child); });
  }

  bool waits(const CallExpr *C, const ThreadDependence &Threads, bool Apart) {
    const FunctionDecl *F = C->getDirectCallee(), *Definition = nullptr;
    if (!F)
      return false;
    const CallKind Kind = classifyCall(F);
    if (Kind == CallKind::BlockBarrier || Kind == CallKind::ValueBarrier)
      return Apart;
    if (Kind != CallKind::Ordinary || !F->hasBody(Definition) ||
        Inside.size() == 8 || llvm::is_contained(Inside, Definition))
      return false;
    if (!mayWait(Definition->getBody()))
      return false;
    Inside.push_back(Definition);
    const ThreadDependence Own(Definition, Calls);
    const Stmt *Body = Definition->getBody();
    // Where some threads return before others do, none passes equally often.
    bool Found = in(Body, Own, Apart || leftEarly(Body, Own, false));
    Inside.pop_back();
    return Found;
  }

  static bool leftEarly(const Stmt *S, const ThreadDependence &Threads,
                        bool Apart) {
    if (!S || isa<LambdaExpr>(S))
      return false;
    if (Apart &&
        isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt>(S))
      return true;
    Apart |= Threads.dependent(conditionOf(S));
    return llvm::any_of(S->children(), [&](const Stmt *Child) {
      return leftEarly(Child, Threads, Apart);
    });
  }
};

} // namespace

/// A barrier that the author leaves out in some turns: all threads leave it out
/// in the same ones, and it is not the one that a tile waits at.
static void barriersOnConditions(const LoopFacts &F,
                                 const ThreadDependence &Threads,
                                 Findings &Out) {
  UnevenBarriers Uneven(F.In->calls());
  for (const BodyItem &I : F.Tile.Body) {
    const auto *If = dyn_cast<IfStmt>(I.S);
    const bool Waits = If && I.Barrier && If == F.Tile.LoadBarrier;
    const Stmt *At = Waits ? If : Uneven.in(I.S, Threads, false);
    if (At)
      Out.push_back({RuleId::UniformBarrier,
                     startOf(If ? If : At),
                     msg::barrier_is_conditional,
                     {{startOf(If ? If : At), msg::barrier_out_of_condition}}});
  }
}

void uniformBarrier(const LoopFacts &F, const Directives &, Findings &Out) {
  const Level Own(*F.In, F.Tile.Loop);
  barriersOnConditions(F, Own.threads(), Out);
  SplitAndBarrier Some;
  Some.look(Own);
  Some.lookAtCallers(*F.In, 0);
  if (!Some.found())
    return;
  Obstacle Found{RuleId::UniformBarrier,
                 startOf(F.Tile.Loop),
                 msg::barriers_of_other_branch,
                 {}};
  Found.Notes.push_back({startOf(Some.Split), msg::threads_diverge_here});
  Found.Notes.push_back({startOf(Some.Barrier), msg::others_wait_here});
  Out.push_back(std::move(Found));
}

} // namespace kpipe
