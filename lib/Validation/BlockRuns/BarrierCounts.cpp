// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads side by side, see BarrierCounts.h.

#include "BarrierCounts.h"
#include "Validation/Interpreter/BlockShapes.h"
#include "Validation/Interpreter/LoopThread.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

constexpr unsigned MostSteps = 30000, Samples = 3, Tiles = 3, MostThreads = 8;

/// What one thread passes.
struct Passed {
  bool Absent = false; ///< it does not come to the loop
  bool WayKnown = false;
  llvm::SmallVector<const Expr *, 8> OnTheWay;
  struct Tile {
    bool All;
    llvm::SmallVector<const Expr *, 4> Barriers;
  };
  std::vector<Tile> InTiles;
};

class CountsFinder {
public:
  CountsFinder(const TileLoop &Loop, const CodeIndex &Index)
      : Loop(Loop), Index(Index),
        Thread(Loop, Index.context(), {}, true, MostSteps) {}

  std::optional<OrderViolation>
  run(llvm::ArrayRef<std::array<unsigned, 3>> Shapes) {
    std::optional<WayToLoop> Way =
        wayTo(Loop, Index, withWhatTheyNeed(Loop, conditional()),
              [&](const Stmt *S) { return Thread.mayStore(S); });
    if (!Way || (Way->Items.empty() && !mayDivide(*Way)))
      return std::nullopt;
    for (unsigned S = 0; S != Samples; ++S)
      for (const std::array<unsigned, 3> &Block : Shapes) {
        std::vector<Passed> All = someThreads(*Way, Block, S);
        for (const Passed &A : All)
          for (const Passed &B : All)
            if (auto Found = compare(A, B))
              return Found;
      }
    return std::nullopt;
  }

private:
  const TileLoop &Loop;
  const CodeIndex &Index;
  LoopThread Thread;

  /// Statements of the body that may pass a barrier, or not.
  Statements conditional() {
    Statements Found;
    for (const BodyItem &I : Loop.Body)
      if (const auto *E = dyn_cast<Expr>(I.S);
          Thread.mayStore(I.S) && !(E && isPlain(E)))
        Found.insert(I.S);
    return Found;
  }
  /// A call of the barrier itself.
  bool isPlain(const Expr *E) {
    const auto *C = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
    return C && Thread.isBarrier(C) &&
           llvm::none_of(C->arguments(),
                         [&](const Expr *A) { return Thread.mayStore(A); });
  }
  /// Does a barrier stand where only some of the threads may come by?
  bool mayDivide(const WayToLoop &Way) {
    return llvm::any_of(Way.Steps, [&](const WayStep &S) {
      const auto *I = dyn_cast_or_null<IfStmt>(S.S);
      if (S.What == WayStep::Kind::Enter)
        return Thread.mayStore(S.Then ? I->getElse() : I->getThen());
      return S.What == WayStep::Kind::Run && Thread.mayStore(S.S) &&
             !(isa<Expr>(S.S) && isPlain(cast<Expr>(S.S)));
    });
  }

  /// The first, the last, and some between them; none where the sample makes no
  /// sense for one of them.
  std::vector<Passed> someThreads(const WayToLoop &Way,
                                  const std::array<unsigned, 3> &Block,
                                  unsigned Sample) {
    const unsigned Threads = Block[0] * Block[1] * Block[2];
    const unsigned Some = std::min(Threads, MostThreads);
    std::vector<Passed> All;
    for (unsigned I = 0; I != Some; ++I) {
      const unsigned T = Some == 1 ? 0 : I * (Threads - 1) / (Some - 1);
      auto P = passed(Way, {Sample,
                            Block,
                            {T % Block[0], T / Block[0] % Block[1],
                             T / Block[0] / Block[1]}});
      if (!P)
        return {};
      All.push_back(std::move(*P));
    }
    return All;
  }

  std::optional<Passed> passed(const WayToLoop &Way,
                               const ThreadRun::Sample &S) {
    Passed P;
    llvm::SmallVector<const Expr *, 4> Now;
    LoopThread::Course End = Thread.follow(
        Way, S, 0, Tiles,
        [&](const Expr *E, const RunValue &) { P.OnTheWay.push_back(E); },
        [&](const Expr *E, const RunValue &) { Now.push_back(E); },
        [&](bool All) { P.InTiles.push_back({All, std::exchange(Now, {})}); });
    P.Absent = End == LoopThread::Course::Absent;
    P.WayKnown = Thread.isWayKnown();
    if (End == LoopThread::Course::Senseless || Thread.spent())
      return std::nullopt;
    return P;
  }

  /// \param A a thread that runs the loop.
  std::optional<OrderViolation> compare(const Passed &A,
                                        const Passed &B) const {
    if (A.InTiles.empty())
      return std::nullopt;
    if (A.WayKnown && B.Absent)
      for (const Expr *Barrier : B.OnTheWay)
        if (!llvm::is_contained(A.OnTheWay, Barrier))
          return OrderViolation{Barrier->getBeginLoc(),
                                Loop.Loop->getBeginLoc(),
                                {msg::barriers_of_other_branch},
                                {msg::others_wait_here}};
    for (size_t T = 0; T != std::min(A.InTiles.size(), B.InTiles.size()); ++T) {
      const auto &X = A.InTiles[T], &Y = B.InTiles[T];
      if (!X.All || !Y.All || X.Barriers.size() <= Y.Barriers.size())
        continue;
      SourceLocation At = X.Barriers.back()->getBeginLoc();
      return OrderViolation{At,
                            At,
                            {msg::barrier_is_conditional},
                            {},
                            {msg::barrier_out_of_condition}};
    }
    return std::nullopt;
  }
};

} // namespace

std::optional<OrderViolation>
findUnevenBarrier(const TileLoop &Loop, const CodeIndex &Index,
                  std::optional<std::array<unsigned, 3>> Block,
                  std::optional<unsigned> Threads) {
  auto Shapes = blockShapesOfAnySize(Loop.Function, Block, Threads);
  if (Shapes.empty())
    return std::nullopt;
  return CountsFinder(Loop, Index).run(Shapes);
}

} // namespace kpipe
