// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author's order, and that of the schedule's steps, see OrderRuns.h.

#include "OrderRuns.h"
#include <algorithm>

namespace kpipe {

OrderRuns::OrderRuns(const LoopUses &Of, const ScheduleShape &Shape,
                     const Schedule &S, unsigned Trips)
    : Of(&Of), Trips(Trips), InFlight(Shape.InFlight) {
  runInput();
  runOutput(Shape, S);
}

void OrderRuns::runInput() {
  int Interval = 0, Order = 0;
  In.resize(Trips, std::vector<Position>(Of->Items.size()));
  for (unsigned T = 0; T != Trips; ++T) {
    In[T].back() = {Interval, Interval, Order++};
    for (unsigned I = 0; I != Of->Loop.Body.size(); ++I) {
      In[T][I] = {Interval, Interval, Order++};
      if (Of->Items[I].Barrier || !Of->Items[I].Through)
        Interval += 2;
      In[T][I].Last = Interval;
    }
  }
  InEnd = Interval;
}

void OrderRuns::runOutput(const ScheduleShape &Shape, const Schedule &S) {
  int Interval = 0, Order = 0;
  Load.resize(Trips);
  Store.resize(Trips);
  Compute.resize(Trips, std::vector<Position>(Of->Items.size()));
  for (const TimelineStep &Step : traceSchedule(S, Shape, Trips).Steps) {
    Order += Of->Items.size() + 1;
    switch (Step.Do) {
    case TimelineStep::Kind::Load:
      Load[Step.Tile] = {Interval, Interval, Order};
      break;
    case TimelineStep::Kind::Store:
      Store[Step.Tile] = {Interval, Interval, Order};
      break;
    case TimelineStep::Kind::Barrier:
      Interval += 2;
      break;
    case TimelineStep::Kind::Compute:
      Interval = compute(Step.Tile, Interval, Order);
      break;
    case TimelineStep::Kind::Commit:
    case TimelineStep::Kind::Wait:
      break;
    }
  }
  OutEnd = Interval;
}

int OrderRuns::compute(unsigned Tile, int Interval, int Order) {
  Compute[Tile].back() = {Interval, Interval, Order};
  for (unsigned I = 0; I != Of->Loop.Body.size(); ++I) {
    const UsedItem &Item = Of->Items[I];
    Position &P = Compute[Tile][I];
    P = {Interval, Interval, Order + int(I) + 1};
    if (Item.InCompute && (Item.Barrier || !Item.Through))
      Interval += 2;
    P.Last = Interval;
  }
  return Interval;
}

/// The part of a statement's position that one access in it has.
static Position within(const Access &A, Position P) {
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

Position OrderRuns::untilWait(const Use &U, unsigned Tile, Position P) const {
  const auto *A = llvm::dyn_cast<clang::GCCAsmStmt>(U.A.At);
  if (!InFlight || !A || U.A.Write ||
      U.A.Where.Where == Storage::Kind::Local ||
      !llvm::StringRef(A->getAsmString()).contains("wgmma.mma_async"))
    return P;
  // The positions of a tile end with its last statement's.
  for (const Position &Next : Compute[std::min(Tile + 1, Trips - 1)])
    P.Last = std::max(P.Last, Next.Last);
  return P;
}

Position OrderRuns::input(const Use &U, unsigned Tile) const {
  return within(U.A, In[Tile][U.Item]);
}

llvm::SmallVector<OrderRuns::Placed, 3> OrderRuns::output(const Use &U,
                                                          unsigned Tile) const {
  llvm::SmallVector<Placed, 3> Found;
  const int Within = U.Item == Of->Loop.Body.size() ? 0 : int(U.Item) + 1;
  auto Add = [&](Position P, bool Ahead) {
    P.Order += Within;
    Found.push_back({P, Ahead});
  };
  if (U.Load)
    Add(Load[Tile], true);
  if (U.Lands) {
    Position P = Compute[Tile].back();
    P.First = P.Last = P.First - 2; // before the barrier that shows it
    --P.Order;
    Found.push_back({P, false});
  }
  if (U.Store)
    Add(Store[Tile], false);
  if (U.Compute)
    Found.push_back(
        {untilWait(U, Tile, within(U.A, Compute[Tile][U.Item])), false});
  return Found;
}

} // namespace kpipe
