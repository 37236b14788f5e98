// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognition: from a loop with block barriers to a TileLoop. Finds the load
// region among the stretches of code between barriers, divides the body between
// load and compute, and describes the copies.

#include "Recognition.h"
#include "Code/AstUtils.h"
#include "Code/Jumps.h"
#include "NoTile.h"
#include "Recognition/Body/BarrierStatements.h"
#include "Recognition/Body/ClosingLoop.h"
#include "Recognition/Body/LoadPhases.h"
#include "Recognition/Body/LoopHeader.h"
#include "Recognition/Body/MatrixFlight.h"
#include "Recognition/Body/NamesInBody.h"
#include "Recognition/Body/SecondNames.h"
#include "Recognition/Body/Slices.h"
#include "Recognition/Body/TensorCores.h"
#include "Recognition/Body/UnreadableCode.h"
#include "Recognition/Body/WhatFollows.h"
#include "Recognition/Bulk/BulkLoops.h"
#include "Recognition/Stages/Movable.h"
#include "Recognition/Stages/Rings.h"
#include "Recognition/TileCopies/AsyncOrder.h"
#include "Recognition/TileCopies/Branches.h"
#include "Recognition/TileCopies/ComputeLoops.h"
#include "Recognition/TileCopies/Copies.h"
#include "Recognition/TileCopies/CopyLimits.h"
#include "Recognition/TileCopies/PrivateArrays.h"
#include "Recognition/TileCopies/Split.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

MemoryRoot sharedRoot(const VarDecl *V) {
  MemoryRoot R;
  R.Where = Space::Shared;
  R.Var = V;
  return R;
}

bool isSharedDecl(const Stmt *S) {
  const auto *D = dyn_cast<DeclStmt>(S);
  return D && llvm::all_of(D->decls(), [](const Decl *X) {
           return isa<VarDecl>(X) && X->hasAttr<CUDASharedAttr>();
         });
}

class Recogniser {
public:
  Recogniser(const CandidateLoop &Candidate, std::shared_ptr<Scope> In) {
    Facts.In = std::move(In);
    Facts.Tile.Function = Candidate.Function;
    Facts.Tile.Loop = Candidate.Loop;
    Facts.InOuterLoop = Candidate.InOuterLoop;
  }

  LoopFacts run() {
    if (isBulkLoop(Facts.Tile.Loop, Facts.In->context())) {
      recogniseBulk(Facts);
      return std::move(Facts);
    }
    if (!readBody() || !findRegions())
      return std::move(Facts);
    Facts.IsTileLoop = true;
    analyzeHeader(Facts);
    findPrivateArrays(Facts, Front);
    const BulkOpsOfItems Matrix = matrixOpsOf(Facts);
    dropProxyFences(Facts, Matrix, Front);
    sliceBody(Facts, Front, Copies);
    if (!Matrix.empty())
      findFlight(Facts, Matrix);
    findSecondNames(Facts);
    findMovedText(Facts);
    findCopies(Facts);
    findMovedHelpers(Facts);
    checkAsyncCopies(Facts);
    findRings(Facts);
    findMovable(Facts);
    findTensorCores(Facts);
    findUnrollable(Facts);
    limitCopyLoops(Facts);
    checkSplit(Facts);
    findBranches(Facts);
    findWhatFollows(Facts);
    return std::move(Facts);
  }

private:
  LoopFacts Facts;
  llvm::SmallVector<bool, 16> Front, Copies;
  llvm::SmallVector<unsigned, 4> Barriers; ///< indices into Body

  bool notATileLoop(SourceLocation Where, Message Why) {
    Facts.Obstacles.push_back(
        {RuleId::NotATileLoop, Where, std::move(Why), {}});
    return false;
  }

  bool readBody() {
    TileLoop &Tile = Facts.Tile;
    const auto *Block = dyn_cast<CompoundStmt>(bodyOf(Tile.Loop));
    if (!Block)
      return notATileLoop(startOf(Tile.Loop), msg::body_without_braces);
    llvm::SmallVector<const Effects *, 16> All;
    Facts.Items.reserve(Block->size());
    for (const Stmt *S : Block->body()) {
      BodyItem I;
      I.S = S;
      Effects E = effectsOf(S, *Facts.In);
      I.Barrier = isBarrier(S, E, Facts.In->context());
      I.SharedDecl = isSharedDecl(S);
      Tile.Body.push_back(I);
      Facts.Items.push_back(std::move(E));
    }
    findBarriers();
    findNamesInBody(Facts);
    for (const Effects &E : Facts.Items)
      All.push_back(&E);
    Facts.Body = inSequence(All);
    if (auto Why = whyUnreadable(Facts.Body)) {
      Facts.Obstacles.push_back(std::move(*Why));
      return false;
    }
    Facts.LoadsNoTile = Barriers.empty() && !mayFillShared(Facts);
    if (Barriers.empty())
      for (unsigned I = 0; I != Facts.Items.size(); ++I)
        if (const Stmt *S = Tile.Body[I].S;
            isa<IfStmt>(S) && Facts.Items[I].has(EventKind::BlockBarrier)) {
          Facts.Obstacles.push_back(
              {RuleId::UniformBarrier, startOf(S), whyInCondition(S),
               {{startOf(S), msg::barrier_out_of_condition}}});
          return false;
        }
    if (Barriers.empty())
      return notATileLoop(startOf(Tile.Loop), msg::no_barrier_in_body);
    return true;
  }

  static msg::Id whyInCondition(const Stmt *S) {
    return cast<IfStmt>(S)->isConstexpr() ? msg::barrier_in_branch_of_instances
                                          : msg::barrier_is_conditional;
  }

  /// Where all threads pass one barrier in each turn, they may pass others that
  /// the author left out in some turns.
  void findBarriers() {
    llvm::SmallVectorImpl<BodyItem> &Body = Facts.Tile.Body;
    bool Any = llvm::any_of(Body, [](const BodyItem &I) { return I.Barrier; });
    for (unsigned I = 0; I != Body.size(); ++I) {
      Body[I].Barrier |= Any && isBarrierOnCondition(Body[I].S, Facts.Items[I]);
      if (Body[I].Barrier)
        Barriers.push_back(I);
    }
  }

  /// Stretch number of an item: how many barriers stand before it.
  unsigned stretch(unsigned Item) const {
    return llvm::count_if(Barriers, [&](unsigned B) { return B < Item; });
  }

  static bool touches(const Effects &E, const VarDecl *V, bool Write) {
    return llvm::any_of(E.Memory, [&](const MemoryAccess &A) {
      return A.Write == Write &&
             (A.Root.Where == Space::Shared ||
              A.Root.Where == Space::Unknown) &&
             mayOverlap(A.Root, sharedRoot(V));
    });
  }

  bool readsStretch(unsigned Stretch, const VarDecl *V) const {
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (stretch(I) == Stretch && touches(Facts.Items[I], V, false))
        return true;
    return false;
  }

  VarSet sharedWrites(unsigned Stretch) const {
    VarSet Found;
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (stretch(I) == Stretch)
        for (const MemoryAccess &A : Facts.Items[I].Memory)
          if (A.Write && A.Root.Where == Space::Shared && A.Root.Var)
            Found.insert(A.Root.Var);
    return Found;
  }

  /// A stretch loads tiles if it stores to a shared array that another stretch
  /// reads, and what it stores comes from global memory, and not from what an
  /// earlier stretch loads as well: then it computes.
  bool loads(unsigned Stretch, const VarSet &Loaded = {}) const {
    VarSet Wanted;
    bool Global = false;
    for (unsigned I = Facts.Items.size(); I-- != 0;) {
      if (stretch(I) != Stretch)
        continue;
      const Effects &E = Facts.Items[I];
      bool Stores = llvm::any_of(E.Memory, [&](const MemoryAccess &A) {
        if (!A.Write || A.Root.Where != Space::Shared || !A.Root.Var)
          return false;
        for (unsigned Other = 0; Other <= Barriers.size(); ++Other)
          if (Other != Stretch && readsStretch(Other, A.Root.Var))
            return true;
        return false;
      });
      bool Feeds = llvm::any_of(
          E.Writes, [&](const VarDecl *V) { return Wanted.count(V); });
      if (!Stores && !Feeds)
        continue;
      if (llvm::any_of(Loaded,
                       [&](const VarDecl *V) { return touches(E, V, false); }))
        return false;
      Global |= E.readsGlobal();
      Wanted.insert(E.Exposed.begin(), E.Exposed.end());
    }
    return Global;
  }

  bool findRegions() {
    TileLoop &Tile = Facts.Tile;
    unsigned Count = Barriers.size() + 1;
    llvm::SmallVector<unsigned, 4> Loading;
    VarSet Loaded; // and what is made of it
    for (unsigned S = 0; S != Count; ++S) {
      if (loads(S, Loaded))
        Loading.push_back(S);
      else if (!readsAny(S, Loaded))
        continue;
      Loaded.insert_range(sharedWrites(S));
    }
    Facts.LoadsNoTile = Loading.empty() && !mayFillShared(Facts);
    if (Loading.empty())
      return saysNoTile(Facts, Barriers);
    unsigned First = Loading.front(), Last = Loading.back();
    for (unsigned S : Loading)
      if (S != First && (Last - First + 1 != Loading.size() ||
                         readsAny(S, sharedWrites(First))))
        return alternates(S);
    for (unsigned S : Loading)
      for (unsigned Earlier = First; Earlier != S; ++Earlier)
        if (const VarDecl *V = commonWrite(Earlier, S))
          return notATileLoop(Tile.Body[Barriers[S - 1]].S->getBeginLoc(),
                              {msg::loaded_on_both_sides, quoted(V)});
    Tile.BarrierFirst = First == 1;
    if (First > 1 || (First == 1 && !stretchIsScalar(0)))
      return notATileLoop(startOf(Tile.Loop), msg::computes_before_load);
    // The checks above leave no such loop; what follows relies on it.
    if (Last == Barriers.size())
      return notATileLoop(startOf(Tile.Loop), msg::no_barrier_before_compute);
    Tile.LoadBarrier = Tile.Body[Barriers[Last]].S;

    Front.resize(Tile.Body.size());
    Copies.resize(Tile.Body.size());
    VarSet Staged;
    for (unsigned S = First; S <= Last; ++S)
      Staged.insert_range(sharedWrites(S));
    for (unsigned I = 0; I != Tile.Body.size(); ++I) {
      unsigned S = stretch(I);
      Front[I] = S <= Last && !Tile.Body[I].Barrier;
      Copies[I] = Front[I] && Facts.Items[I].writesShared();
    }
    keepInnerBarriers(Last, Staged);
    return true;
  }

  /// The body loads again in a stretch behind compute.
  bool alternates(unsigned Stretch) {
    notATileLoop(Facts.Tile.Body[Barriers[Stretch - 1]].S->getBeginLoc(),
                 msg::loads_and_computes_alternate);
    if (auto Cure = asOneLoad(Facts, Barriers, firstLoad(), Stretch))
      Facts.Obstacles.back().Notes.push_back(std::move(*Cure));
    return false;
  }

  unsigned firstLoad() const {
    unsigned S = 0;
    while (!loads(S))
      ++S;
    return S;
  }

  /// An array that two stretches write: the barrier between them says whose
  /// values stay.
  const VarDecl *commonWrite(unsigned A, unsigned B) const {
    for (const VarDecl *X : sharedWrites(A))
      for (unsigned I = 0; I != Facts.Items.size(); ++I)
        if (stretch(I) == B)
          for (const MemoryAccess &M : Facts.Items[I].Memory)
            if (M.Write && M.Root.Where == Space::Shared && M.Root.Var &&
                mayOverlap(sharedRoot(X), M.Root))
              return X;
    return nullptr;
  }

  bool readsAny(unsigned Stretch, const VarSet &Arrays) const {
    return llvm::any_of(
        Arrays, [&](const VarDecl *V) { return readsStretch(Stretch, V); });
  }

  bool stretchIsScalar(unsigned Stretch) const {
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (stretch(I) == Stretch && !Facts.Tile.Body[I].Barrier &&
          (!Facts.Items[I].isPure() || Facts.Items[I].readsShared()))
        return false;
    return true;
  }

  bool readsGlobalIn(unsigned Stretch) const {
    for (unsigned I = 0; I != Facts.Items.size(); ++I)
      if (stretch(I) == Stretch && Facts.Items[I].readsGlobal())
        return true;
    return false;
  }

  /// Barriers between parts of the compute stay where they are; the one that
  /// keeps the next load from overtaking the compute is replaced.
  void keepInnerBarriers(unsigned LoadStretch, const VarSet &Staged) {
    TileLoop &Tile = Facts.Tile;
    unsigned LastReader = LoadStretch;
    for (unsigned S = LoadStretch + 1; S <= Barriers.size(); ++S)
      if (readsAny(S, Staged))
        LastReader = S;
    bool Guarded = LastReader < Barriers.size() || Tile.BarrierFirst ||
                   endsWithInnerBarrier(Staged) ||
                   passesBarrierBehind(LastReader, Staged);
    if (!Guarded) {
      Obstacle F;
      F.Rule = RuleId::MissingBarrier;
      F.Where = startOf(Tile.Loop);
      F.Why = msg::next_load_overwrites;
      for (unsigned I = Tile.Body.size(); I-- != 0;)
        if (stretch(I) == LastReader && !Tile.Body[I].Barrier &&
            readsAnyItem(I, Staged)) {
          auto Why = whyNotClosing(Tile.Body[I].S, *Facts.In);
          std::optional<Obstacle::Remark> Part;
          if (!Why)
            Part = barrierOfTurn(Facts, I, Staged);
          if (Part)
            F.Why = msg::next_load_overwrites_despite;
          else
            Part = {startOf(Tile.Body[I].S), msg::add_barrier_here};
          F.Notes.push_back(std::move(*Part));
          if (Why)
            F.Notes.push_back(std::move(*Why));
          break;
        }
      Facts.Obstacles.push_back(std::move(F));
    }
    // What follows the last barrier may need it against the compute too.
    bool KeepAll =
        !stretchIsScalar(Barriers.size()) ||
        (readsGlobalIn(Barriers.size()) && Facts.Body.writesGlobal());
    for (unsigned B = LoadStretch + 1; B < Barriers.size(); ++B)
      if (B + 1 != Barriers.size() || KeepAll || !Guarded)
        Tile.Body[Barriers[B]].InCompute = true;
  }

  /// The last statement that touches a tile is a loop whose last statement is a
  /// barrier, and which surely runs.
  bool endsWithInnerBarrier(const VarSet &Staged) const {
    for (unsigned I = Facts.Items.size(); I-- != 0;)
      if (readsAnyItem(I, Staged))
        return endsWithBarrier(Facts.Tile.Body[I].S, *Facts.In);
    return false;
  }

  /// Does a statement behind the last one that reads the arrays, such as a
  /// reduction of the block, have a barrier of its own?
  bool passesBarrierBehind(unsigned Stretch, const VarSet &Arrays) const {
    for (unsigned I = Facts.Items.size(); I-- != 0;)
      if (stretch(I) != Stretch || readsAnyItem(I, Arrays))
        return false;
      else if (passesBarrier(Facts.Tile.Body[I].S))
        return true;
    return false;
  }

  bool readsAnyItem(unsigned I, const VarSet &Arrays) const {
    return llvm::any_of(Arrays, [&](const VarDecl *V) {
      return touches(Facts.Items[I], V, false);
    });
  }
};

} // namespace

LoopFacts recognise(const CandidateLoop &Candidate, std::shared_ptr<Scope> In) {
  return Recogniser(Candidate, std::move(In)).run();
}

} // namespace kpipe
