// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First a few threads, each by itself: almost always a thread stores the same
// elements in every tile, and mostly that is plain to see. Where one does not,
// another may store what it leaves out, and the whole block is run. See
// StoredElements.h.

#include "StoredElements.h"
#include "SteadyStores.h"
#include "Validation/Interpreter/BlockShapes.h"
#include "Validation/Interpreter/LoopThread.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <tuple>

using namespace clang;

namespace kpipe {

namespace {

/// Too few to be noticed; and enough for the threads of a block.
constexpr unsigned StepsOfSome = 30000, StepsOfAll = 1000000;
constexpr unsigned ElementSamples = 4;
/// The first sample has many tiles that come out even, the others have few.
constexpr unsigned TilesOfFirst = 3, ElementTiles = 12;
constexpr unsigned SomeThreads = 8;

/// Bytes of a staged array that are stored.
struct StoredPart {
  const VarDecl *Base;
  int64_t From, To;
  const Expr *Store;
};

struct StoredTile {
  bool All = true; ///< nothing is stored but these
  std::vector<StoredPart> Parts;

  void sort() {
    llvm::sort(Parts, [](const StoredPart &A, const StoredPart &B) {
      return std::tie(A.Base, A.From, A.To) < std::tie(B.Base, B.From, B.To);
    });
    std::vector<StoredPart> Joined;
    for (const StoredPart &P : Parts)
      if (!Joined.empty() && Joined.back().Base == P.Base &&
          Joined.back().To >= P.From)
        Joined.back().To = std::max(Joined.back().To, P.To);
      else
        Joined.push_back(P);
    Parts = std::move(Joined);
  }
};

/// The tiles of one run of the loop.
struct LoopRun {
  bool Sense = true;
  /// Of the tiles from here on nobody knows all stores.
  size_t Known = SIZE_MAX;
  std::vector<StoredTile> Tiles;
};

/// A byte that a tile stores and another one does not.
struct LeftOut {
  StoredPart At;
  bool OtherRun = false;
};

using Bases = llvm::SmallPtrSet<const VarDecl *, 4>;

/// What A stores and B does not, but for what is Kept; both are sorted.
std::optional<StoredPart> missingIn(const StoredTile &A, const StoredTile &B,
                                    const Bases &Kept) {
  for (StoredPart P : A.Parts) {
    if (Kept.contains(P.Base))
      continue;
    for (const StoredPart &Q : B.Parts)
      if (Q.Base == P.Base && Q.From <= P.From && P.From < Q.To)
        P.From = Q.To;
    if (P.From < P.To)
      return P;
  }
  return std::nullopt;
}

/// \param Kept of which all stages hold the same when a run begins.
/// \param Partial of which no tile reads what it does not store.
std::optional<LeftOut> compare(std::vector<LoopRun> &Runs, Bases Kept,
                               const Bases &Partial) {
  Kept.insert(Partial.begin(), Partial.end());
  for (LoopRun &R : Runs) {
    // A program that has no meaning for these values does not run so.
    R.Tiles.resize(R.Sense ? std::min(R.Known, R.Tiles.size()) : 0);
    for (StoredTile &T : R.Tiles)
      T.sort();
  }
  for (size_t A = 0; A != Runs.size(); ++A)
    for (size_t B = A; B != Runs.size(); ++B)
      for (size_t I = 0; I != Runs[A].Tiles.size(); ++I)
        for (size_t J = A == B ? I + 1 : 0; J < Runs[B].Tiles.size(); ++J) {
          const StoredTile &X = Runs[A].Tiles[I], &Y = Runs[B].Tiles[J];
          if (!X.All || !Y.All)
            continue;
          if (auto P = missingIn(X, Y, A == B ? Partial : Kept))
            return LeftOut{*P, A != B};
          if (A == B)
            continue;
          // Any run may be the earlier one.
          if (auto P = missingIn(Y, X, Kept))
            return LeftOut{*P, true};
        }
  return std::nullopt;
}

class ElementsFinder {
public:
  using Shape = std::array<unsigned, 3>;

  ElementsFinder(const TileLoop &Loop, const PipelinePlan &Plan,
                 const WayToLoop &Way, const ASTContext &Context)
      : Loop(Loop), Plan(Plan), Way(Way), Context(Context) {
    for (const TileCopy &C : Loop.Copies) {
      Watched.insert(C.Store);
      if (C.FillStore)
        Watched.insert(C.FillStore);
    }
    for (const StagedBuffer &B : Loop.Buffers)
      if (B.KeepsContents)
        Kept.insert(B.Var);
    for (const StagedBuffer &B : Loop.Buffers)
      if (B.Partial)
        Partial.insert(B.Var);
  }

  std::optional<OrderViolation> run(llvm::ArrayRef<Shape> Shapes) {
    if (numberOfRuns() == 1 &&
        storesAreSteady(Loop, Way.Items, Watched, Context))
      return std::nullopt;
    LoopThread Some(Loop, Context, Watched, false, StepsOfSome);
    for (unsigned S = 0; S != ElementSamples; ++S)
      for (const Shape &Block : Shapes)
        if (!Some.spent() && someThreadVaries(Some, Block, S))
          if (auto Found = blockVaries(Block, S))
            return violation(*Found);
    return std::nullopt;
  }

private:
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const WayToLoop &Way;
  const ASTContext &Context;
  llvm::DenseSet<const Expr *> Watched;
  Bases Kept; ///< copied to all stages whenever the loop begins
  Bases Partial; ///< see PartialReads.h

  unsigned numberOfRuns() const {
    return Way.Repeats || Way.CalledAgain ? 3 : 1;
  }

  bool someThreadVaries(LoopThread &Of, const Shape &Block, unsigned Sample) {
    const unsigned Threads = Block[0] * Block[1] * Block[2];
    const unsigned Some = std::min(Threads, SomeThreads);
    for (unsigned I = 0; I != Some; ++I) {
      // The first, the last, and some between them.
      std::vector<LoopRun> Runs(numberOfRuns());
      run(Of, Block, Sample, Some == 1 ? 0 : I * (Threads - 1) / (Some - 1),
          Runs);
      if (compare(Runs, Kept, Partial))
        return true;
    }
    return false;
  }

  std::optional<LeftOut> blockVaries(const Shape &Block, unsigned Sample) {
    LoopThread All(Loop, Context, Watched, false, StepsOfAll);
    std::vector<LoopRun> Runs(numberOfRuns());
    const unsigned Threads = Block[0] * Block[1] * Block[2];
    for (unsigned T = 0; T != Threads && !All.spent(); ++T)
      run(All, Block, Sample, T, Runs);
    return All.spent() ? std::nullopt : compare(Runs, Kept, Partial);
  }

  /// All runs of one thread; adds what it stores.
  void run(LoopThread &Of, const Shape &Block, unsigned Sample, unsigned Thread,
           std::vector<LoopRun> &Runs) {
    const ThreadRun::Sample S{Sample,
                              Block,
                              {Thread % Block[0], Thread / Block[0] % Block[1],
                               Thread / Block[0] / Block[1]}};
    for (unsigned R = 0; R != Runs.size(); ++R) {
      std::vector<StoredTile> &To = Runs[R].Tiles;
      size_t Tile = 0;
      std::vector<StoredPart> Parts;
      bool Outside = false;
      auto end = [&](bool All) {
        if (To.size() == Tile)
          To.emplace_back();
        To[Tile].All &= All;
        llvm::append_range(To[Tile++].Parts, std::exchange(Parts, {}));
      };
      auto stored = [&](const Expr *Store, const RunValue &Place) {
        Parts.push_back(part(Store, Place));
        Outside |= leaves(Parts.back());
      };
      auto Silent = [](const Expr *, const RunValue &) {};
      LoopThread::Course End = Of.follow(
          Way, S, R, Sample ? ElementTiles : TilesOfFirst, Silent, stored, end);
      Runs[R].Sense &= End != LoopThread::Course::Senseless && !Outside;
      if (End == LoopThread::Course::Broken)
        Runs[R].Known = std::min(Runs[R].Known, Tile);
    }
  }

  StoredPart part(const Expr *Store, const RunValue &Place) const {
    const Expr *To = isa<BinaryOperator>(Store)
                         ? cast<BinaryOperator>(Store)->getLHS()
                         : cast<CXXOperatorCallExpr>(Store)->getArg(0);
    return {Place.Base, Place.Number,
            Place.Number +
                Context.getTypeSizeInChars(To->getType()).getQuantity(),
            Store};
  }
  /// A store that leaves its array has no meaning.
  bool leaves(const StoredPart &P) const {
    QualType T = P.Base->getType().getNonReferenceType();
    return P.From < 0 || (!T->isIncompleteType() && T->isConstantSizeType() &&
                          !T->isPointerType() &&
                          P.To > Context.getTypeSizeInChars(T).getQuantity());
  }

  OrderViolation violation(const LeftOut &Found) const {
    SourceLocation At = Found.At.Store->getBeginLoc();
    return {At,
            At,
            {Found.OtherRun ? msg::order_left_out_of_run
                            : msg::order_left_out_of_tile,
             Found.At.From, Found.At.Base->getNameAsString(), Plan.Buffers},
            {},
            {msg::store_all_or_one_stage}};
  }
};

} // namespace

std::optional<OrderViolation>
findElementLeftOut(const TileLoop &Loop, const PipelinePlan &Plan,
                   const CodeIndex &Index,
                   std::optional<std::array<unsigned, 3>> Block,
                   std::optional<unsigned> Threads) {
  if (Plan.Buffers < 2)
    return std::nullopt;
  if (Loop.Bulk && !copiesAreSteady(Loop, Index.context()))
    return OrderViolation{Loop.Bulk->Issue->getBeginLoc(),
                          Loop.Bulk->Issue->getBeginLoc(),
                          msg::order_place_varies};
  auto Shapes = blockShapesOfAnySize(Loop.Function, Block, Threads);
  Statements Load;
  for (const BodyItem &I : Loop.Body)
    if (I.InLoad && !I.Barrier)
      Load.insert(I.S);
  std::optional<WayToLoop> Way =
      wayTo(Loop, Index, std::move(Load), [](const Stmt *) { return false; });
  if (!Way || Shapes.empty())
    return std::nullopt;
  return ElementsFinder(Loop, Plan, *Way, Index.context()).run(Shapes);
}

} // namespace kpipe
