// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both runs as positions, and the comparison pair by pair, see OrderValidator.h.
// A position is a barrier interval and a place within it. Intervals are counted
// by twos, so that what lies between two barriers of one statement has a number
// of its own.

#include "OrderValidator.h"
#include "Accesses.h"
#include "Emission/Schedule.h"
#include "FirstUse.h"
#include "Surroundings.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace kpipe {

namespace {

using StmtSet = llvm::SmallPtrSet<const Stmt *, 16>;

struct Nodes : RecursiveASTVisitor<Nodes> {
  StmtSet All;
  llvm::SmallPtrSet<const VarDecl *, 8> Declared, Mentioned;
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitStmt(Stmt *S) {
    All.insert(S);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) {
    Declared.insert(V);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      Mentioned.insert(V);
    return true;
  }
};

Nodes nodesOf(const Stmt *S) {
  Nodes N;
  N.TraverseStmt(const_cast<Stmt *>(S));
  return N;
}

/// Where an access stands in a run.
struct Position {
  int First = 0, Last = 0; ///< barrier intervals
  int Order = 0;           ///< among the steps of one thread
};

/// An access of the loop, and the parts of the pipeline that make it.
struct Use {
  Access A;
  unsigned Item = 0;
  bool Load = false, Store = false, Compute = false;
  /// An asynchronous copy's write, which lands some time after its issue.
  bool Lands = false;
};

struct Item {
  const Stmt *S = nullptr;
  bool Barrier = false, InLoad = false, InCompute = false;
  bool Through = true;
  llvm::SmallPtrSet<const VarDecl *, 8> Mentioned;
};

/// The positions of both runs for one number of tiles.
struct Runs {
  unsigned Trips = 0;
  int InEnd = 0, OutEnd = 0; ///< the last intervals
  std::vector<std::vector<Position>> In; ///< by tile and item
  std::vector<Position> Load, Store;     ///< by tile
  std::vector<std::vector<Position>> Compute;
};

class Validator {
public:
  Validator(const TileLoop &Loop, const PipelinePlan &Plan,
            const CodeIndex &Index, bool AssumeNoAlias)
      : Loop(Loop), Plan(Plan), Index(Index), AssumeNoAlias(AssumeNoAlias),
        Ring(Plan.Buffers > 1) {
    In.Function = Loop.Function;
    In.Index = &Index;
  }

  OrderVerdict run() {
    collect();
    Around = surroundingsOf(Loop.Loop, In);
    checkSources();
    checkStaged();
    checkLocals();
    if (!Verdict.Violation)
      compare();
    return std::move(Verdict);
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const CodeIndex &Index;
  const bool AssumeNoAlias, Ring;
  Frame In;
  std::vector<Item> Items; ///< the header's conditions last
  std::vector<Use> Uses;
  llvm::SmallPtrSet<const VarDecl *, 8> OwnLocals; ///< declared in the body
  StmtSet Moved; ///< every node of the body, which goes into the lambdas
  Surroundings Around;
  OrderVerdict Verdict;

  bool same(const Storage &A, const Storage &B) const {
    return mayBeSame(A, B, Loop.Function, Index);
  }
  bool conflict(const Access &A, const Access &B) const {
    return (A.Write || B.Write) && same(A.Where, B.Where);
  }
  /// \param A what is made around the loop. The promise that a `__restrict__`
  /// pointer makes is its function's: a caller may have the memory under another
  /// name.
  bool meets(Access A, Access B) const {
    if (A.Outside)
      A.Where.Restrict = B.Where.Restrict = false;
    return A.Where.Where != Storage::Kind::Local && conflict(A, B);
  }
  bool isHeader(const VarDecl *V) const {
    return llvm::any_of(Loop.HeaderVars,
                        [&](const HeaderVar &H) { return H.Var == V; });
  }
  bool isPrivate(const VarDecl *V) const {
    return llvm::is_contained(Loop.PrivateToLoad, V);
  }
  bool isStaged(const Storage &P) const {
    return P.Where == Storage::Kind::Shared &&
           (!P.Var || llvm::any_of(Loop.Buffers, [&](const StagedBuffer &B) {
              return B.Var == P.Var || (B.Block && P.Var->hasExternalStorage());
            }));
  }

  static std::string named(const Storage &P) {
    std::string Quoted =
        P.Var ? "'" + P.Var->getNameAsString() + "'" : std::string();
    switch (P.Where) {
    case Storage::Kind::Pointee:
      return "memory at " + Quoted;
    case Storage::Kind::Unknown:
      return "memory that cannot be told";
    case Storage::Kind::AnyGlobal:
      return "global memory";
    default:
      return P.Var ? Quoted : "shared memory";
    }
  }

  void violation(const Access &A, const Access &B, std::string What) {
    if (Verdict.Violation)
      return;
    auto Start = [&](const Access &X) {
      return X.Outer ? X.Outer->getBeginLoc() : Loop.Loop->getBeginLoc();
    };
    Verdict.Violation = {Start(A), Start(B), std::move(What)};
  }

  // What the loop does.

  void collect() {
    const unsigned Header = Loop.Body.size();
    for (const BodyItem &I : Loop.Body) {
      Item X;
      X.S = I.S;
      // Steps of while loops stand in the header of the output.
      X.InLoad = I.InLoad && !I.Barrier;
      X.InCompute = I.InCompute;
      X.Barrier = I.Barrier;
      Nodes N = nodesOf(I.S);
      X.Mentioned = N.Mentioned;
      Moved.insert(N.All.begin(), N.All.end());
      if (const auto *D = dyn_cast<DeclStmt>(I.S))
        for (const Decl *Y : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(Y))
            OwnLocals.insert(V);
      OwnLocals.insert(N.Declared.begin(), N.Declared.end());
      Items.push_back(std::move(X));
    }
    Items.emplace_back();
    const StoreHalf Half = storeHalf();
    for (unsigned I = 0; I != Header; ++I)
      if (!Loop.Body[I].SharedDecl && !Loop.Body[I].Step && !Items[I].Barrier)
        collectItem(I, Half);
    auto Ahead = [&](const Stmt *S) {
      if (!S)
        return;
      for (const Access &A : accessesOf(S, In).All)
        Uses.push_back({A, Header, true, false, true, false});
    };
    Ahead(Loop.Cond);
    for (const HeaderVar &H : Loop.HeaderVars)
      Ahead(H.Update);
  }

  /// Variables that the half which stores computes anew, and the nodes of the
  /// body and of helpers that it evaluates for that.
  struct StoreHalf {
    llvm::SmallPtrSet<const VarDecl *, 16> Needs;
    StmtSet Nodes;
    /// True if it was not wanted before.
    bool want(const Stmt *S) {
      if (!S || Nodes.count(S))
        return false;
      kpipe::Nodes N = nodesOf(S);
      Nodes.insert(S);
      Nodes.insert(N.All.begin(), N.All.end());
      Needs.insert(N.Mentioned.begin(), N.Mentioned.end());
      return true;
    }
  };

  StoreHalf storeHalf() {
    StoreHalf Half;
    auto Want = [&](const Stmt *S) { Half.want(S); };
    llvm::SmallPtrSet<const Stmt *, 8> Roots; // statements of both functions
    for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
      const TileCopy &Copy = Loop.Copies[C];
      if (Plan.Copies[C].Way != Route::Registers)
        continue;
      Want(Copy.Dst);
      if (!Copy.ValueIsLoaded)
        Want(Copy.Value);
      const Stmt *Helper = Copy.Helper ? Copy.Helper->getBody() : nullptr;
      if (Helper && Roots.insert(Helper).second)
        guards(Helper, Copy.Store, Want);
      for (const BodyItem &I : Loop.Body)
        if (I.InLoad) {
          Roots.insert(I.S);
          guards(I.S, Copy.HelperCall ? Copy.HelperCall : Copy.Store, Want);
        }
    }
    for (bool More = true; More;) {
      More = false;
      for (const Stmt *Root : Roots)
        More |= wantLeaves(Root, Half);
      // Of a helper's arguments those count that its places need.
      for (const TileCopy &Copy : Loop.Copies)
        for (unsigned I = 0; Copy.HelperCall && I != Copy.Helper->getNumParams() &&
                             I != Copy.HelperCall->getNumArgs();
             ++I)
          if (Half.Needs.count(Copy.Helper->getParamDecl(I)))
            More |= Half.want(Copy.HelperCall->getArg(I));
    }
    return Half;
  }

  /// Statements without parts of their own that write what is needed.
  bool wantLeaves(const Stmt *S, StoreHalf &Half) {
    if (!S || Half.Nodes.count(S))
      return false;
    if (isa<CompoundStmt, IfStmt, ForStmt, AttributedStmt>(S)) {
      bool More = false;
      for (const Stmt *Child : S->children())
        if (Child && !isa<Expr>(Child))
          More |= wantLeaves(Child, Half);
        else if (Child && isa<CompoundStmt, IfStmt>(S))
          More |= wantLeaves(Child, Half);
        else if (const auto *F = dyn_cast<ForStmt>(S); F && Child == F->getBody())
          More |= wantLeaves(Child, Half);
      return More;
    }
    for (const Access &A : accessesOf(S, In).All)
      if (A.Write && A.Where.Where == Storage::Kind::Local &&
          Half.Needs.count(A.Where.Var))
        return Half.want(S);
    return false;
  }

  /// Conditions in S around Inner.
  template <typename Fn>
  static bool guards(const Stmt *S, const Stmt *Inner, Fn Want) {
    if (!S)
      return false;
    if (S == Inner)
      return true;
    bool Holds = false;
    for (const Stmt *Child : S->children())
      Holds |= guards(Child, Inner, Want);
    if (Holds) {
      if (const auto *I = dyn_cast<IfStmt>(S))
        Want(I->getCond());
      if (const auto *F = dyn_cast<ForStmt>(S)) {
        Want(F->getInit());
        Want(F->getCond());
        Want(F->getInc());
      }
    }
    return Holds;
  }

  void collectItem(unsigned I, const StoreHalf &Half) {
    Accesses All = accessesOf(Items[I].S, In);
    Items[I].Through = All.Through;
    if (Items[I].InLoad && All.HasBarrier && !All.All.empty())
      violation(All.All.front(), All.All.front(),
                "a barrier stands inside what is loaded ahead");
    llvm::DenseMap<const Stmt *, Route> Stores;
    for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
      const TileCopy &Copy = Loop.Copies[C];
      Stores[Copy.Store] = Plan.Copies[C].Way;
      if (Copy.FillStore)
        Stores[Copy.FillStore] = Plan.Copies[C].Way;
    }
    for (const Access &A : All.All) {
      Use U{A, I, false, false, Items[I].InCompute, false};
      if (Items[I].InLoad) {
        auto Copy = Stores.find(A.At);
        bool IsCopy = A.Write && Copy != Stores.end();
        bool Async = IsCopy && Copy->second == Route::AsyncCopy;
        U.Load = !IsCopy || Async;
        U.Store = IsCopy ? !Async
                         : Half.Nodes.count(A.At) ||
                               (A.Outer != A.At && Half.Nodes.count(A.Outer));
        U.Lands = Async;
      }
      Uses.push_back(U);
    }
  }

  // Asynchronous copies.

  /// They read global memory only, and what is not shown to be global may be
  /// shared or the thread's own.
  void checkSources() {
    for (unsigned C = 0; C != Loop.Copies.size(); ++C) {
      const TileCopy &Copy = Loop.Copies[C];
      if (Plan.Copies[C].Way != Route::AsyncCopy || !Copy.Source)
        continue;
      llvm::SmallVector<const Expr *, 8> Args;
      Frame Helper;
      if (Copy.Helper) {
        Args = argumentsOf(Copy.HelperCall);
        Helper = {Copy.Helper, &In, Args, nullptr, &Index, 1};
      }
      const Frame &Where = Copy.Helper ? Helper : In;
      const Expr *E = Copy.Source;
      for (const Storage &S : E->isPRValue() ? storageOfPointer(E, Where)
                                             : storageOfLValue(E, Where))
        if (!S.Global && S.Where != Storage::Kind::Device &&
            S.Where != Storage::Kind::AnyGlobal) {
          Access A;
          A.Outer = Copy.HelperCall ? Copy.HelperCall : Copy.Store;
          return violation(A, A,
                           "nothing shows that " + named(S) +
                               ", which cp.async would read, is global memory");
        }
    }
  }

  // Staged arrays in a ring.

  /// The ring holds tile by tile what the array held only as long as nothing
  /// but the copies writes it and nothing reads it before its tile is there.
  void checkStaged() {
    if (!Ring)
      return;
    unsigned Barrier = 0;
    for (unsigned I = 0; I != Loop.Body.size(); ++I)
      if (Loop.Body[I].S == Loop.LoadBarrier)
        Barrier = I;
    auto Copied = [&](const Access &A) {
      return llvm::any_of(Loop.Copies, [&](const TileCopy &C) {
        return A.At == C.Store || (C.FillStore && A.At == C.FillStore);
      });
    };
    for (const Use &U : Uses) {
      const bool Maybe = U.A.Where.Where == Storage::Kind::Unknown;
      if (!isStaged(U.A.Where) && !(Maybe && U.A.Write))
        continue;
      if (U.A.Write && !Copied(U.A))
        return violation(U.A, U.A,
                         named(U.A.Where) + " is written here beside the copies "
                                            "of a tile, which stages would lose");
      if (!U.A.Write && U.Item <= Barrier)
        return violation(U.A, U.A,
                         named(U.A.Where) +
                             " is read here before its tile is there, and the "
                             "tile before it would be in another stage");
    }
    // Behind the loop the stage of the last tile is read; a loop that runs no
    // turn has none, and what an earlier run left is in some other stage.
    if (Loop.Kind == LoopKind::Do || !Around.Again)
      return;
    for (const StagedBuffer &B : Loop.Buffers)
      for (const DeclRefExpr *D : B.MentionsAfter) {
        Access A;
        A.Outer = D;
        return violation(A, A,
                         "'" + B.Var->getNameAsString() +
                             "' is used behind the loop, which may run no turn "
                             "when it is entered again; the stage that an "
                             "earlier run left is not known then");
      }
  }

  // Local variables.

  bool outside(const VarDecl *V) const {
    return !OwnLocals.count(V) && !isHeader(V);
  }

  /// What the parts make of a variable of their own goes by name; another name
  /// would still mean the author's variable.
  void checkLocals() {
    for (const Use &U : Uses) {
      const Storage &P = U.A.Where;
      if (P.Where != Storage::Kind::Local || U.Item == Loop.Body.size())
        continue;
      const bool Header = isHeader(P.Var), Private = isPrivate(P.Var);
      if (!Header && !Private)
        continue;
      // A declaration has no mention; what stands in the body names its own.
      if (P.Mention && !Moved.count(P.Mention) && (U.Load || U.Store))
        return violation(U.A, U.A,
                         named(P) + " is reached here by another name, which "
                                    "does not run ahead with it");
      if (Header && U.A.Write)
        return violation(U.A, U.A,
                         named(P) + " is changed here as well as by the loop's "
                                    "step");
      if (Private && U.A.Write &&
          !(Items[U.Item].InLoad && Items[U.Item].InCompute))
        return violation(U.A, U.A,
                         named(P) + " is changed here for one part of the loop "
                                    "only");
    }
    checkDeclaredInBody();
    // An address that is kept reaches the author's variable from anywhere.
    for (const HeaderVar &H : Loop.HeaderVars)
      renamed(H.Var);
    for (const VarDecl *V : Loop.PrivateToLoad)
      renamed(V);
  }

  /// Each part has variables of its own for those that the body declares: what
  /// one changes, the others do not see.
  void checkDeclaredInBody() {
    llvm::SmallDenseMap<const VarDecl *, unsigned, 8> Declared;
    for (unsigned I = 0; I != Loop.Body.size(); ++I)
      if (const auto *D = dyn_cast<DeclStmt>(Loop.Body[I].S))
        for (const Decl *X : D->decls())
          if (const auto *V = dyn_cast<VarDecl>(X))
            Declared[V] = I;
    for (const Use &W : Uses) {
      auto It = W.A.Where.Where == Storage::Kind::Local
                    ? Declared.find(W.A.Where.Var)
                    : Declared.end();
      if (It == Declared.end() || !W.A.Write || It->second == W.Item)
        continue;
      for (const Use &R : Uses)
        if (!R.A.Write && R.Item > W.Item && same(W.A.Where, R.A.Where) &&
            ((R.Compute && !W.Compute) || (R.Load && !W.Load) ||
             (R.Store && !W.Store)))
          return violation(W.A, R.A,
                           accessName(R.A) +
                               " would not see the write of another part of "
                               "the pipeline");
    }
  }

  void renamed(const VarDecl *V) {
    for (const Use &U : Uses)
      if (U.A.Where.Where == Storage::Kind::Unknown &&
          U.Item != Loop.Body.size() &&
          Index.namesOf(Loop.Function).Renamed.count(V))
        return violation(U.A, U.A,
                         "'" + V->getNameAsString() +
                             "' may be reached here by another name, which "
                             "does not run ahead with it");
  }

  /// Each part of the pipeline that mentions V writes it first: no value of it
  /// passes from one to another.
  bool writtenFirst(const VarDecl *V) const {
    auto Part = [&](bool (*Member)(const Item &)) {
      for (const Item &I : Items)
        if (I.S && Member(I) && I.Mentioned.count(V)) {
          FirstUse U = firstUse(I.S, V);
          if (U != FirstUse::Covered)
            return U == FirstUse::Killed;
        }
      return true;
    };
    if (Index.namesOf(Loop.Function).Renamed.count(V) ||
        llvm::any_of(Uses, [&](const Use &U) {
          return U.Item == Loop.Body.size() && U.A.Where.Var == V;
        }))
      return false;
    return Part([](const Item &I) { return I.InLoad; }) &&
           Part([](const Item &I) { return I.InCompute; });
  }

  // The two runs.

  Runs runsOf(const ScheduleShape &Shape, const Schedule &S, unsigned Trips) {
    Runs R;
    R.Trips = Trips;
    int Interval = 0, Order = 0;
    R.In.resize(Trips, std::vector<Position>(Items.size()));
    for (unsigned T = 0; T != Trips; ++T) {
      R.In[T].back() = {Interval, Interval, Order++};
      for (unsigned I = 0; I != Loop.Body.size(); ++I) {
        R.In[T][I] = {Interval, Interval, Order++};
        if (Items[I].Barrier || !Items[I].Through)
          Interval += 2;
        R.In[T][I].Last = Interval;
      }
    }
    R.InEnd = Interval;

    Interval = Order = 0;
    R.Load.resize(Trips);
    R.Store.resize(Trips);
    R.Compute.resize(Trips, std::vector<Position>(Items.size()));
    for (const TimelineStep &Step : traceSchedule(S, Shape, Trips).Steps) {
      Order += Items.size() + 1;
      switch (Step.Do) {
      case TimelineStep::Kind::Load:
        R.Load[Step.Tile] = {Interval, Interval, Order};
        break;
      case TimelineStep::Kind::Store:
        R.Store[Step.Tile] = {Interval, Interval, Order};
        break;
      case TimelineStep::Kind::Barrier:
        Interval += 2;
        break;
      case TimelineStep::Kind::Compute: {
        R.Compute[Step.Tile].back() = {Interval, Interval, Order};
        for (unsigned I = 0; I != Loop.Body.size(); ++I) {
          Position &P = R.Compute[Step.Tile][I];
          P = {Interval, Interval, Order + int(I) + 1};
          if (Items[I].InCompute && (Items[I].Barrier || !Items[I].Through))
            Interval += 2;
          P.Last = Interval;
        }
        break;
      }
      case TimelineStep::Kind::Commit:
      case TimelineStep::Kind::Wait:
        break;
      }
    }
    R.OutEnd = Interval;
    return R;
  }

  /// The part of a statement's position that one access in it has.
  static Position of(const Access &A, Position P) {
    if (P.First == P.Last)
      return P;
    if (A.FromStart && A.ToEnd)
      return P;
    if (A.FromStart)
      P.Last = P.First;
    else if (A.ToEnd)
      P.First = P.Last;
    else
      P.First = P.Last = P.First + 1;
    return P;
  }
  Position input(const Runs &R, const Use &U, unsigned Tile) const {
    return of(U.A, R.In[Tile][U.Item]);
  }
  struct Placed {
    Position At;
    bool Ahead = false; ///< in the part that loads
  };
  /// Everywhere that the output makes the access for a tile.
  llvm::SmallVector<Placed, 3> output(const Runs &R, const Use &U,
                                        unsigned Tile) const {
    llvm::SmallVector<Placed, 3> Found;
    const int Within = U.Item == Loop.Body.size() ? 0 : int(U.Item) + 1;
    auto Add = [&](Position P, bool Ahead) {
      P.Order += Within;
      Found.push_back({P, Ahead});
    };
    if (U.Load)
      Add(R.Load[Tile], true);
    if (U.Lands) {
      Position P = R.Compute[Tile].back();
      P.First = P.Last = P.First - 2; // before the barrier that shows it
      --P.Order;
      Found.push_back({P, false});
    }
    if (U.Store)
      Add(R.Store[Tile], false);
    if (U.Compute)
      Found.push_back({of(U.A, R.Compute[Tile][U.Item]), false});
    return Found;
  }

  // The comparison.

  void compare() {
    for (unsigned Try = 0; Try != 3 && !Verdict.Violation; ++Try) {
      ScheduleShape Shape = scheduleShape(Loop, Plan);
      Shape.BarrierBefore |= Verdict.BarrierBefore;
      Shape.BarrierAfter |= Verdict.BarrierAfter;
      Schedule S = makeSchedule(Shape, Plan.Schedule);
      std::vector<Runs> All;
      for (unsigned T = 1; T <= Shape.ahead() + 3; ++T)
        All.push_back(runsOf(Shape, S, T));
      OrderVerdict Before = Verdict;
      if (Try == 0)
        withinLoop(All.back());
      for (const Runs &R : All)
        around(R);
      if (Around.AgainAtOnce)
        again(All);
      if (Before.BarrierAfter == Verdict.BarrierAfter &&
          Before.BarrierBefore == Verdict.BarrierBefore)
        return;
    }
  }

  /// Is a pair of the loop's own accesses to be compared at all?
  bool related(const Use &A, const Use &B) const {
    if (!conflict(A.A, B.A))
      return false;
    if (Ring && isStaged(A.A.Where) && isStaged(B.A.Where))
      return false; // the schedule validator's
    if (A.A.Where.Where == Storage::Kind::Local)
      return localsMeet(A, B);
    if (B.A.Where.Where == Storage::Kind::Local)
      return localsMeet(B, A);
    return true;
  }
  bool localsMeet(const Use &A, const Use &B) const {
    const VarDecl *V = A.A.Where.Var;
    if (!outside(V))
      return false;
    // The private copy goes its own way, which is the author's order.
    if (isPrivate(V) && (!A.Compute && !A.Store))
      return false;
    return !writtenFirst(V);
  }
  bool promised(const Use &A, const Use &B, bool SameTile) const {
    auto Global = [](const Storage &P) {
      return P.Where != Storage::Kind::Shared && P.Where != Storage::Kind::Local;
    };
    return AssumeNoAlias && !SameTile && Global(A.A.Where) &&
           Global(B.A.Where) && (!A.A.Write || !B.A.Write);
  }

  void withinLoop(const Runs &R) {
    for (unsigned X = 0; X != Uses.size(); ++X)
      for (unsigned Y = X; Y != Uses.size(); ++Y) {
        const Use &A = Uses[X], &B = Uses[Y];
        if (!related(A, B))
          continue;
        for (unsigned I = 0; I != R.Trips; ++I)
          for (unsigned J = 0; J != R.Trips; ++J)
            if (!Verdict.Violation && !(A.Item == B.Item && I == J) &&
                !promised(A, B, I == J))
              pair(R, A, I, B, J);
      }
  }

  void pair(const Runs &R, const Use &A, unsigned I, const Use &B, unsigned J) {
    Position P = input(R, A, I), Q = input(R, B, J);
    if (Q.Order < P.Order)
      return J == I || &A != &B ? pair(R, B, J, A, I) : void();
    const bool Local = A.A.Where.Where == Storage::Kind::Local ||
                       B.A.Where.Where == Storage::Kind::Local;
    const bool Separated = !Local && P.Last < Q.First;
    // The private copy of the load is another variable.
    const bool Private = Local && (isPrivate(A.A.Where.Var) ||
                                   isPrivate(B.A.Where.Var));
    for (const auto &[X, AheadX] : output(R, A, I))
      for (const auto &[Y, AheadY] : output(R, B, J)) {
        if (Private && (AheadX || AheadY))
          continue;
        if (Separated && X.Last >= Y.First)
          return violation(A.A, B.A,
                           "the barrier between " + accessName(A.A) + " and " +
                               accessName(B.A) + " would be lost");
        if (!Separated && X.Order > Y.Order)
          return violation(A.A, B.A,
                           accessName(A.A) + " would come after " +
                               accessName(B.A));
      }
  }

  static std::string accessName(const Access &A) {
    return (A.Write ? "the write of " : "the read of ") + named(A.Where);
  }

  void around(const Runs &R) {
    for (const Use &U : Uses)
      for (unsigned I = 0; I != R.Trips; ++I) {
        Position P = input(R, U, I);
        for (const auto &[Q, Ahead] : output(R, U, I)) {
          if (P.First > 0 && Q.First <= 0 &&
              llvm::any_of(Around.Before, [&](const Access &A) {
                return meets(A, U.A);
              }))
            Verdict.BarrierBefore = true;
          if (P.Last < R.InEnd && Q.Last >= R.OutEnd &&
              llvm::any_of(Around.After, [&](const Access &A) {
                return meets(A, U.A);
              }))
            Verdict.BarrierAfter = true;
        }
      }
  }

  /// The end of one run against the beginning of the next.
  void again(const std::vector<Runs> &All) {
    for (const Runs &R : All)
      for (const Use &U : Uses)
        for (unsigned I = 0; I != R.Trips && !Verdict.BarrierAfter; ++I) {
          int Left = R.InEnd - input(R, U, I).Last;
          for (const auto &[Q, Ahead] : output(R, U, I))
            if (Q.Last >= R.OutEnd && U.A.Where.Where != Storage::Kind::Local)
              meets(U, Left, All);
        }
  }
  void meets(const Use &U, int Left, const std::vector<Runs> &All) {
    for (const Runs &R : All)
      for (const Use &V : Uses)
        if (conflict(U.A, V.A))
          for (unsigned J = 0; J != R.Trips; ++J)
            for (const auto &[Q, Ahead] : output(R, V, J))
              if (Q.First <= 0 && Left + input(R, V, J).First > 0)
                Verdict.BarrierAfter = true;
  }
};

} // namespace

OrderVerdict validateOrder(const TileLoop &Loop, const PipelinePlan &Plan,
                           const CodeIndex &Index, bool AssumeNoAlias) {
  return Validator(Loop, Plan, Index, AssumeNoAlias).run();
}

} // namespace kpipe
