// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StagingMistakes.h. What the author may know of the number of tiles, by a
// condition in front of the loop, kpipe takes for known.
#include "StagingMistakes.h"
#include "Code/AstUtils.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;

namespace kpipe {

namespace {

/// Numbers of the host's that give loops a few turns.
constexpr int64_t HostNumbers[] = {24,  32,  40,  48,  56,  64,  80,
                                   96,  112, 128, 160, 192, 224, 256,
                                   320, 384, 448, 512, 640, 768};
constexpr unsigned MostTurns = 12;

/// The variables that a value comes of, through initialisers.
struct Sources : ConstDynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const VarDecl *, 8> Found;
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && Found.insert(V).second && V->hasLocalStorage() && V->getInit())
      TraverseStmt(V->getInit());
    return true;
  }
};

/// Does a function ask for the values of these in a condition that ends it, or
/// in an assertion?
struct Promises : ConstDynamicRecursiveASTVisitor {
  const Sources &Of;
  const Stmt *Loop;
  bool Found = false;
  Promises(const Sources &Of, const Stmt *Loop) : Of(Of), Loop(Loop) {}
  bool TraverseForStmt(const ForStmt *S) override {
    return S == Loop || ConstDynamicRecursiveASTVisitor::TraverseForStmt(S);
  }
  bool TraverseWhileStmt(const WhileStmt *S) override {
    return S == Loop || ConstDynamicRecursiveASTVisitor::TraverseWhileStmt(S);
  }
  void ask(const Stmt *S) {
    Sources In;
    In.TraverseStmt(S);
    Found |= llvm::any_of(
        In.Found, [&](const VarDecl *V) { return Of.Found.count(V); });
  }
  bool VisitIfStmt(const IfStmt *I) override {
    struct Leaves : ConstDynamicRecursiveASTVisitor {
      bool Any = false;
      bool VisitReturnStmt(const ReturnStmt *) override {
        return !(Any = true);
      }
      bool VisitCallExpr(const CallExpr *C) override {
        const FunctionDecl *F = C->getDirectCallee();
        Any |= !F || F->isNoReturn() || F->getName() == "__trap";
        return true;
      }
    } Away;
    Away.TraverseStmt(I->getThen());
    Away.TraverseStmt(I->getElse());
    if (Away.Any || !pathTo(Loop, I).empty())
      ask(I->getCond());
    return true;
  }
  bool VisitCallExpr(const CallExpr *C) override {
    const FunctionDecl *F = C->getDirectCallee();
    if (F && F->getIdentifier() &&
        (F->getName().contains("assume") || F->getName().contains("assert")))
      for (const Expr *A : C->arguments())
        ask(A);
    return true;
  }
  bool VisitConditionalOperator(const ConditionalOperator *C) override {
    if (C->getType()->isVoidType()) // assert
      ask(C->getCond());
    return true;
  }
};

/// Does the body compute with a variable, beside storing it to elements?
struct OtherUses : ConstDynamicRecursiveASTVisitor {
  const VarDecl *Of;
  bool Found = false;
  explicit OtherUses(const VarDecl *Of) : Of(Of) {}
  bool TraverseBinaryOperator(const BinaryOperator *B) override {
    const Expr *To = B->getLHS()->IgnoreParens();
    if (const auto *D = dyn_cast<DeclRefExpr>(To);
        D && D->getDecl() == Of && B->getOpcode() == BO_Assign)
      return TraverseStmt(B->getRHS());
    if (B->getOpcode() == BO_Assign && !isa<DeclRefExpr>(To)) {
      const Expr *Value = B->getRHS()->IgnoreParenImpCasts();
      if (const auto *D = dyn_cast<DeclRefExpr>(Value); D && D->getDecl() == Of)
        return TraverseStmt(To);
    }
    return ConstDynamicRecursiveASTVisitor::TraverseBinaryOperator(B);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *D) override {
    return !(Found |= D->getDecl() == Of);
  }
};

/// Is a load in the body used for more than the next tile?
bool isComputedWith(const Stmt *Load, const Stmt *Loop) {
  for (const Stmt *S : llvm::reverse(pathTo(Load, Loop))) {
    const VarDecl *V = nullptr;
    if (const auto *B = dyn_cast<BinaryOperator>(S)) {
      if (B->getOpcode() != BO_Assign) {
        if (B->getType()->isRealFloatingType())
          return true;
        continue;
      }
      const auto *To = dyn_cast<DeclRefExpr>(B->getLHS()->IgnoreParens());
      V = To ? dyn_cast<VarDecl>(To->getDecl()) : nullptr;
    } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
      V = D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    } else {
      continue;
    }
    if (!V || V->getType()->isPointerType() || V->getType()->isReferenceType())
      return false;
    OtherUses Uses(V);
    Uses.TraverseStmt(Loop);
    return Uses.Found;
  }
  return false;
}

const Expr *conditionOf(const Stmt *Loop) {
  if (const auto *F = dyn_cast<ForStmt>(Loop))
    return F->getCond();
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    return W->getCond();
  return cast<DoStmt>(Loop)->getCond();
}

class Finder {
public:
  Finder(const TraceOf &Of, const HandStaging &S) : Of(Of), S(S) {
    for (int64_t Host : HostNumbers) {
      StageTrace T = traceStages(Of, Host, MostTurns);
      // One of each number of turns.
      if (T.Ends && !T.Unsure && T.Turns >= 2)
        Traces.emplace(T.Turns, std::move(T));
    }
  }

  llvm::SmallVector<Obstacle, 2> run() {
    if (Traces.size() < 2)
      return {};
    lastStage();
    pastTheEnd();
    missingCommit();
    return std::move(Found);
  }

private:
  const TraceOf &Of;
  const HandStaging &S;
  std::map<unsigned, StageTrace> Traces;
  llvm::SmallVector<Obstacle, 2> Found;

  bool isStaged(const VarDecl *Base) const { return Base && S.storeTo(Base); }

  void tell(RuleId Rule, const Stmt *At, Message Why, const Stmt *CureAt,
            msg::Id Cure) {
    Found.push_back({Rule, At->getBeginLoc(), std::move(Why),
                     {{CureAt->getBeginLoc(), Message(Cure)}}});
  }

  /// The first use of a staged array behind the loop; null if it is none that
  /// reads.
  const TraceEvent *firstReadBehind(const StageTrace &T) const {
    for (const TraceEvent &E : T.Events)
      if (E.After && (E.Kind == TraceKind::Write || E.Kind == TraceKind::Read)) {
        if (!E.Base)
          return nullptr;
        if (isStaged(E.Base))
          return E.Kind == TraceKind::Read && !E.Maybe ? &E : nullptr;
      }
    return nullptr;
  }

  bool readsBehind(const StageTrace &T) const {
    return llvm::any_of(T.Events, [&](const TraceEvent &E) {
      return E.After && E.Kind == TraceKind::Read &&
             (!E.Base || isStaged(E.Base));
    });
  }

  /// Does a place lie in a buffer as a read of the loop does?
  bool isTilesPlace(const TraceEvent &E) const {
    for (const StagedRead &R : S.Reads)
      for (unsigned B = 0; B != S.Buffers; ++B) {
        const auto &[Base, Offset] = S.Stores[R.Store].Places[B];
        if (Base == E.Base && Offset + R.Delta == E.Offset)
          return true;
      }
    return false;
  }

  bool readsAtDistance(unsigned Turns) const {
    return llvm::any_of(
        S.Reads, [&](const StagedRead &R) { return R.Distance == Turns; });
  }

  void lastStage() {
    // Where every buffer holds a tile behind the loop, any may be the first.
    if (S.Buffers < 2 || readsAtDistance(S.Buffers))
      return;
    const TraceEvent *One = nullptr;
    std::set<unsigned> Left;
    for (const auto &[Turns, T] : Traces) {
      const TraceEvent *E = firstReadBehind(T);
      if (!E || !isTilesPlace(*E))
        return;
      if (One && (One->At != E->At || One->Base != E->Base ||
                  One->Offset != E->Offset))
        return;
      One = E;
      Left.insert(Turns % S.Buffers);
    }
    Sources Count;
    Count.TraverseStmt(conditionOf(Of.Loop));
    Promises Known(Count, Of.Loop);
    Known.TraverseStmt(Of.Function->getBody());
    if (Left.size() > 1 && !Known.Found)
      tell(RuleId::LastStage, One->At, {msg::last_stage, S.Buffers}, One->At,
           msg::last_stage_cure);
  }

  /// Where a mention loads from, turn by turn; empty if it does not in each, or
  /// if something else is known of it.
  std::vector<const TraceEvent *> loadsOf(const StageTrace &T,
                                          const Stmt *At) const {
    std::vector<const TraceEvent *> Loads;
    for (const TraceEvent &E : T.Events)
      if (E.At == At && E.Kind == TraceKind::Fetch && E.Turn >= 0 && !E.After) {
        if (!E.Base || E.Maybe || E.Guarded)
          return {};
        if (Loads.size() == unsigned(E.Turn))
          Loads.push_back(&E);
      }
    if (Loads.size() != T.Turns)
      return {};
    return Loads;
  }

  /// The last turn goes on as the turns before it.
  static bool isSteady(llvm::ArrayRef<const TraceEvent *> Loads) {
    if (Loads.size() < 3)
      return false;
    const int64_t Step = Loads[1]->Offset - Loads[0]->Offset;
    for (size_t I = 1; I != Loads.size(); ++I)
      if (Loads[I]->Base != Loads[0]->Base ||
          Loads[I]->Offset - Loads[I - 1]->Offset != Step)
        return false;
    return Step != 0;
  }

  bool loadsBefore(const StageTrace &T) const {
    return llvm::any_of(T.Events, [&](const TraceEvent &E) {
      return E.Turn < 0 && E.Kind == TraceKind::Write && isStaged(E.Base);
    });
  }

  void pastTheEnd() {
    // The last turn may read what it loaded.
    if (readsAtDistance(0))
      return;
    const Stmt *At = nullptr;
    const VarDecl *Array = nullptr;
    for (const auto &[Turns, T] : Traces) {
      if (Turns < 3)
        continue;
      // Each turn reads a tile, and none is read behind them.
      if (readsBehind(T) || !loadsBefore(T))
        return;
      const Stmt *Here = nullptr;
      for (const TraceEvent &E : T.Events)
        if (!Here && E.Kind == TraceKind::Fetch && E.Turn == 0 && !E.After &&
            isSteady(loadsOf(T, E.At)) &&
            !isComputedWith(E.At, Of.Loop)) {
          Here = E.At;
          Array = E.Base;
        }
      if (!Here || (At && At != Here))
        return;
      At = Here;
    }
    if (At)
      tell(RuleId::PastTheEnd, At, {msg::past_the_end, Array->getNameAsString()},
           At, msg::past_the_end_cure);
  }

  /// A read of a tile that a wait let be on its way.
  struct Hole {
    const TraceEvent *Read = nullptr, *Wait = nullptr;
  };

  /// Reads of copied tiles in turns, by whether a wait covered the copy.
  struct Waits {
    std::vector<Hole> Holes;
    bool Any = false;
  };
  Waits waitsOf(const StageTrace &T) const {
    Waits Result;
    struct Copy {
      const TraceEvent *Write;
      unsigned Group;
    };
    std::vector<Copy> Copies;
    unsigned Commits = 0, Done = 0;
    const TraceEvent *Last = nullptr;
    for (const TraceEvent &E : T.Events) {
      if (E.Kind == TraceKind::Write && E.Async)
        Copies.push_back({&E, Commits});
      else if (E.Kind == TraceKind::Commit)
        ++Commits;
      else if (E.Kind == TraceKind::Wait) {
        Done = std::max(Done, Commits > E.Keep ? Commits - E.Keep : 0);
        Last = &E;
      } else if (E.Kind == TraceKind::Read && E.Turn >= 0) {
        if (const Copy *C = copyOf(Copies, E)) {
          Result.Any = true;
          if (C->Group >= Done && Last)
            Result.Holes.push_back({&E, Last});
        }
      }
    }
    return Result;
  }

  /// The last copy to where a read of the loop looks.
  template <class Copies>
  auto copyOf(const Copies &All, const TraceEvent &E) const
      -> decltype(All.data()) {
    for (const StagedRead &R : S.Reads)
      if (R.At == E.At)
        for (const auto &C : llvm::reverse(All))
          if (C.Write->Base == E.Base &&
              C.Write->Offset + R.Delta == E.Offset &&
              (C.Write->At == S.Stores[R.Store].At || C.Write->Turn < 0))
            return &C;
    return nullptr;
  }

  const Stmt *commitInTurns(const StageTrace &T) const {
    for (const TraceEvent &E : T.Events)
      if (E.Kind == TraceKind::Commit && E.Turn >= 0)
        return E.At;
    return nullptr;
  }

  void missingCommit() {
    const Stmt *At = nullptr;
    unsigned Keep = 0;
    for (const auto &[Turns, T] : Traces) {
      const Waits W = waitsOf(T);
      if (Turns <= S.Buffers)
        continue;
      // Only the last turns lack something.
      if (!W.Any || W.Holes.empty() || !W.Holes.front().Wait->Keep ||
          W.Holes.front().Read->Turn + int(S.Buffers) < int(Turns) ||
          W.Holes.front().Read->Maybe || W.Holes.front().Wait->Maybe)
        return;
      At = W.Holes.front().Wait->At;
      Keep = W.Holes.front().Wait->Keep;
    }
    const Stmt *Commit =
        Traces.empty() ? nullptr : commitInTurns(Traces.rbegin()->second);
    if (At && Commit)
      tell(RuleId::MissingCommit, At, {msg::missing_commit, Keep}, Commit,
           msg::missing_commit_cure);
  }
};

} // namespace

llvm::SmallVector<Obstacle, 2> findStagingMistakes(const TraceOf &Of,
                                                   const HandStaging &Staging) {
  return Finder(Of, Staging).run();
}

} // namespace kpipe
