// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads and samples to run, and the places they write, see AsyncPlaces.h.

#include "AsyncPlaces.h"
#include "Validation/Interpreter/BlockShapes.h"
#include "Validation/Interpreter/ThreadRun.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace clang;

namespace kpipe {

namespace {

/// Enough for a hundred threads of a usual kernel, too few to be noticed.
constexpr unsigned MostPlaceSteps = 20000;
constexpr unsigned PlaceSamples = 4;
/// PlaceTiles that are run: the first, and what the loop's step makes of it.
constexpr unsigned PlaceTiles = 2;

struct LoopFinder : ConstDynamicRecursiveASTVisitor {
  bool Found = false;
  bool VisitForStmt(const ForStmt *) override { return !(Found = true); }
  bool VisitWhileStmt(const WhileStmt *) override { return !(Found = true); }
  bool VisitDoStmt(const DoStmt *) override { return !(Found = true); }
};

class PlacesFinder {
public:
  PlacesFinder(const TileLoop &Loop, const PipelinePlan &Plan,
               const ASTContext &Context)
      : Loop(Loop), Plan(Plan), Context(Context) {}

  /// Can a thread write a tile's array twice at all?
  bool isWorthIt() {
    LoopFinder Loads;
    for (const BodyItem &I : Loop.Body)
      if (I.InLoad)
        Loads.TraverseStmt(I.S);
    for (const TileCopy &C : Loop.Copies)
      if (C.Helper)
        Loads.TraverseStmt(C.Helper->getBody());
    std::vector<unsigned> Of(Loop.Buffers.size());
    for (const TileCopy &C : Loop.Copies)
      ++Of[C.Buffer];
    for (unsigned I = 0; I != Loop.Copies.size(); ++I)
      if (Plan.Copies[I].Way == Route::AsyncCopy &&
          (Loads.Found || Of[Loop.Copies[I].Buffer] > 1))
        return true;
    return false;
  }

  std::optional<OrderViolation>
  run(llvm::ArrayRef<std::array<unsigned, 3>> Shapes) {
    llvm::DenseSet<const Expr *> Watched;
    for (unsigned I = 0; I != Loop.Copies.size(); ++I) {
      const TileCopy &C = Loop.Copies[I];
      Watched.insert(C.Store);
      if (Plan.Copies[I].Way == Route::AsyncCopy)
        Async.insert(C.Store);
      if (C.FillStore)
        Watched.insert(C.FillStore);
    }
    ThreadRun Run(Context, Loop.Function, Loop.Loop, std::move(Watched),
                  MostPlaceSteps);
    // Threads take turns with the samples.
    for (unsigned Pass = 0; Pass != PlaceSamples; ++Pass)
      for (const std::array<unsigned, 3> &Shape : Shapes) {
        const unsigned Threads = Shape[0] * Shape[1] * Shape[2];
        // Far ones first: the steps may not suffice for all of them.
        unsigned Stride = 37;
        while (std::gcd(Stride, Threads) != 1)
          ++Stride;
        for (unsigned I = 0, T = 0; I != Threads && !Run.spent();
             ++I, T = (T + Stride) % Threads) {
          ThreadRun::Sample S{
              (I + Pass) % PlaceSamples,
              Shape,
              {T % Shape[0], T / Shape[0] % Shape[1], T / Shape[0] / Shape[1]}};
          Run.begin(S);
          tiles(Run);
          if (Found)
            return violation(S);
        }
      }
    return std::nullopt;
  }

private:
  struct Written {
    const Expr *Store;
    RunValue Place;
    int64_t Bytes;
  };
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const ASTContext &Context;
  llvm::DenseSet<const Expr *> Async;
  std::vector<Written> Tile; ///< what a thread writes for one tile
  std::optional<std::pair<Written, Written>> Found;
  bool Outside = false; ///< the thread leaves an array

  /// A step that the condition takes is taken when that is asked.
  static bool holds(const Stmt *S, const Stmt *Inner) {
    return S && (S == Inner || llvm::any_of(S->children(), [&](const Stmt *X) {
                   return holds(X, Inner);
                 }));
  }

  void tiles(ThreadRun &Run) {
    auto Silent = [](const Expr *, const RunValue &) {};
    auto Report = [&](const Expr *Store, const RunValue &Place) {
      written(Store, Place);
    };
    if (Loop.Init && !Run.run(Loop.Init, Silent))
      return;
    for (unsigned T = 0; T != PlaceTiles; ++T) {
      if ((T || Loop.Kind != LoopKind::Do) && Loop.Cond &&
          !Run.condition(Loop.Cond, Silent).value_or(true))
        return;
      Tile.clear();
      Outside = false;
      for (const BodyItem &I : Loop.Body) {
        if (I.Barrier || I.Step || I.SharedDecl)
          continue;
        if (!I.InLoad)
          Run.forget(I.S);
        else if (!Run.run(I.S, Report) || Outside) {
          // What has no meaning for this sample shows nothing.
          Found.reset();
          return;
        }
      }
      if (Found)
        return;
      for (const HeaderVar &H : Loop.HeaderVars)
        if (H.Update && !holds(Loop.Cond, H.Update) &&
            !Run.run(H.Update, Silent))
          return;
    }
  }

  void written(const Expr *Store, const RunValue &Place) {
    const Expr *To = isa<BinaryOperator>(Store)
                         ? cast<BinaryOperator>(Store)->getLHS()
                         : cast<CXXOperatorCallExpr>(Store)->getArg(0);
    Written New{Store, Place,
                Context.getTypeSizeInChars(To->getType()).getQuantity()};
    const bool Sized = !Place.Base->getType()->isIncompleteType() &&
                       Place.Base->getType()->isConstantSizeType() &&
                       !Place.Base->getType()->isPointerType();
    if (Sized &&
        (Place.Number < 0 ||
         Place.Number + New.Bytes >
             Context.getTypeSizeInChars(Place.Base->getType()).getQuantity()))
      Outside = true;
    // What lies behind a stage is the next one's.
    if (!Sized && Plan.BytesInBlock && !Found &&
        (Place.Number < 0 ||
         uint64_t(Place.Number + New.Bytes) > Plan.BytesInBlock))
      Found = {New, New};
    for (const Written &Old : Tile) {
      if (Found || Old.Place.Base != Place.Base ||
          Old.Place.Number >= Place.Number + New.Bytes ||
          Place.Number >= Old.Place.Number + Old.Bytes ||
          !(Async.count(Store) || Async.count(Old.Store)))
        continue;
      // Parts of one block lie as far apart as the host's numbers need.
      if (!Sized && Old.Store != Store &&
          (Place.Sampled || Old.Place.Sampled))
        continue;
      Found = {Old, New};
    }
    Tile.push_back(New);
  }

  OrderViolation violation(const ThreadRun::Sample &S) const {
    const auto &[First, Second] = *Found;
    if (First.Store == Second.Store && First.Place.Number == Second.Place.Number &&
        Plan.BytesInBlock)
      return {First.Store->getBeginLoc(), First.Store->getBeginLoc(),
              {msg::order_stage_left, First.Place.Base->getNameAsString(),
               Plan.BytesInBlock}};
    auto three = [](const std::array<unsigned, 3> &X) {
      return Message(msg::three_extents, X[0], X[1], X[2]);
    };
    return {First.Store->getBeginLoc(),
            Second.Store->getBeginLoc(),
            {msg::async_collision, three(S.Thread), three(S.Block),
             std::max(First.Place.Number, Second.Place.Number),
             Second.Place.Base->getNameAsString()},
            /*AtFirst=*/{},
            /*Cure=*/{},
            /*OfAsync=*/true};
  }
};

} // namespace

std::optional<OrderViolation>
findAsyncCollision(const TileLoop &Loop, const PipelinePlan &Plan,
                   const ASTContext &Context,
                   std::optional<std::array<unsigned, 3>> Block,
                   std::optional<unsigned> Threads) {
  PlacesFinder F(Loop, Plan, Context);
  if (!Plan.BytesInBlock &&
      (!Plan.hasRoute(Route::AsyncCopy) || !F.isWorthIt()))
    return std::nullopt;
  return F.run(blockShapes(Loop.Function, Block, Threads));
}

} // namespace kpipe
