// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comparison of both runs pair by pair, see OrderValidator.h.

#include "OrderValidator.h"
#include "AccessNames.h"
#include "OrderRuns.h"
#include "ProducerValidator.h"
#include "SumsInFlight.h"
#include "Surroundings.h"
#include "UseChecks.h"

namespace kpipe {

namespace {

class Validator {
public:
  Validator(const LoopUses &Of, bool AssumeNoAlias)
      : Of(Of), Loop(Of.Loop), Plan(Of.Plan), AssumeNoAlias(AssumeNoAlias) {}

  OrderVerdict run() {
    Around = surroundingsOf(Loop.Loop, Of.In);
    Verdict.Violation = firstViolation();
    if (!Verdict.Violation)
      compare();
    return std::move(Verdict);
  }

private:
  const LoopUses &Of;
  const TileLoop &Loop;
  const PipelinePlan &Plan;
  const bool AssumeNoAlias;
  Surroundings Around;
  OrderVerdict Verdict;

  std::optional<OrderViolation> firstViolation() const {
    if (Of.BarrierInLoad)
      return Of.violation(*Of.BarrierInLoad, *Of.BarrierInLoad,
                          {msg::order_barrier_in_load});
    UseChecks Check(Of);
    if (auto Lost = Check.checkApart())
      return Lost;
    if (auto Lost = Check.checkSources())
      return Lost;
    if (auto Lost = Check.checkStaged(Around.Again))
      return Lost;
    if (auto Lost = findUseOfSums(Of, Around.Again))
      return Lost;
    return Check.checkLocals();
  }

  void violation(const Access &A, const Access &B, Message What) {
    if (!Verdict.Violation)
      Verdict.Violation = Of.violation(A, B, std::move(What));
  }

  /// \param A what is made around the loop. The promise that a `__restrict__`
  /// pointer makes is its function's: a caller may have the memory under
  /// another name.
  bool meets(Access A, Access B) const {
    if (A.Outside)
      A.Where.Restrict = B.Where.Restrict = false;
    return A.Where.Where != Storage::Kind::Local && Of.conflict(A, B);
  }
  void compare() {
    for (unsigned Try = 0; Try != 3 && !Verdict.Violation; ++Try) {
      ScheduleShape Shape = scheduleShape(Loop, Plan);
      Shape.BarrierBefore |= Verdict.BarrierBefore;
      Shape.BarrierAfter |= Verdict.BarrierAfter;
      Schedule S = makeSchedule(Shape, Plan.Schedule);
      std::vector<OrderRuns> All;
      for (unsigned T = 1; T <= Shape.ahead() + 3; ++T)
        All.push_back(OrderRuns(Of, Shape, S, T));
      OrderVerdict Before = Verdict;
      if (Try == 0)
        withinLoop(All.back());
      for (const OrderRuns &R : All)
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
    if (!Of.conflict(A.A, B.A))
      return false;
    if (Of.Ring && Of.isStaged(A.A.Where) && Of.isStaged(B.A.Where))
      return false; // the schedule validator's
    if (A.A.Where.Where == Storage::Kind::Local)
      return localsMeet(A, B);
    if (B.A.Where.Where == Storage::Kind::Local)
      return localsMeet(B, A);
    return true;
  }
  bool localsMeet(const Use &A, const Use &B) const {
    const clang::VarDecl *V = A.A.Where.Var;
    if (!V) // a member of the function's object, which outlives the loop
      return true;
    if (!Of.outside(V))
      return false;
    // The private copy goes its own way, which is the author's order.
    if (Of.isPrivate(V) && (!A.Compute && !A.Store))
      return false;
    return !Of.writtenFirst(V);
  }
  bool promised(const Use &A, const Use &B, bool SameTile) const {
    auto Global = [](const Storage &P) {
      return P.Where != Storage::Kind::Shared &&
             P.Where != Storage::Kind::Local;
    };
    // What the header reads is read again for the tiles that follow.
    const unsigned Header = Loop.Body.size();
    SameTile &= A.Item != Header && B.Item != Header;
    return AssumeNoAlias && !SameTile && Global(A.A.Where) &&
           Global(B.A.Where) && (!A.A.Write || !B.A.Write);
  }

  void withinLoop(const OrderRuns &R) {
    for (unsigned X = 0; X != Of.Uses.size(); ++X)
      for (unsigned Y = X; Y != Of.Uses.size(); ++Y) {
        const Use &A = Of.Uses[X], &B = Of.Uses[Y];
        if (!related(A, B))
          continue;
        for (unsigned I = 0; I != R.trips(); ++I)
          for (unsigned J = 0; J != R.trips(); ++J)
            if (!Verdict.Violation && !(A.Item == B.Item && I == J) &&
                !promised(A, B, I == J))
              pair(R, A, I, B, J);
      }
  }

  void pair(const OrderRuns &R, const Use &A, unsigned I, const Use &B,
            unsigned J) {
    Position P = R.input(A, I), Q = R.input(B, J);
    if (Q.Order < P.Order)
      return J == I || &A != &B ? pair(R, B, J, A, I) : void();
    const bool Local = A.A.Where.Where == Storage::Kind::Local ||
                       B.A.Where.Where == Storage::Kind::Local;
    const bool Separated = !Local && P.Last < Q.First;
    // The private copy of the load is another variable.
    const bool Private =
        Local && (Of.isPrivate(A.A.Where.Var) || Of.isPrivate(B.A.Where.Var));
    for (const auto &[X, AheadX] : R.output(A, I))
      for (const auto &[Y, AheadY] : R.output(B, J)) {
        if (Private && (AheadX || AheadY))
          continue;
        if (Separated && X.Last >= Y.First)
          return violation(
              A.A, B.A,
              {msg::order_lost_barrier, accessName(A.A), accessName(B.A)});
        if (!Separated && X.Order > Y.Order)
          return violation(
              A.A, B.A,
              {msg::order_reversed, accessName(A.A), accessName(B.A)});
      }
  }

  void around(const OrderRuns &R) {
    for (const Use &U : Of.Uses)
      for (unsigned I = 0; I != R.trips(); ++I) {
        Position P = R.input(U, I);
        for (const auto &[Q, Ahead] : R.output(U, I)) {
          if (P.First > 0 && Q.First <= 0 &&
              llvm::any_of(Around.Before,
                           [&](const Access &A) { return meets(A, U.A); }))
            Verdict.BarrierBefore = true;
          if (P.Last < R.inEnd() && Q.Last >= R.outEnd() &&
              llvm::any_of(
                  Around.After, [&](const Access &A) { return meets(A, U.A); }))
            Verdict.BarrierAfter = true;
        }
      }
  }

  /// The end of one run against the beginning of the next.
  void again(const std::vector<OrderRuns> &All) {
    for (const OrderRuns &R : All)
      for (const Use &U : Of.Uses)
        for (unsigned I = 0; I != R.trips() && !Verdict.BarrierAfter; ++I) {
          int Left = R.inEnd() - R.input(U, I).Last;
          for (const auto &[Q, Ahead] : R.output(U, I))
            if (Q.Last >= R.outEnd() && U.A.Where.Where != Storage::Kind::Local)
              meets(U, Left, All);
        }
  }
  void meets(const Use &U, int Left, const std::vector<OrderRuns> &All) {
    for (const OrderRuns &R : All)
      for (const Use &V : Of.Uses)
        if (Of.conflict(U.A, V.A))
          for (unsigned J = 0; J != R.trips(); ++J)
            for (const auto &[Q, Ahead] : R.output(V, J))
              if (Q.First <= 0 && Left + R.input(V, J).First > 0)
                Verdict.BarrierAfter = true;
  }
};

} // namespace

OrderVerdict validateOrder(const TileLoop &Loop, const PipelinePlan &Plan,
                           const CodeIndex &Index, bool AssumeNoAlias) {
  OrderVerdict V = Validator(LoopUses(Loop, Plan, Index), AssumeNoAlias).run();
  if (!V.Violation)
    V.Violation = findProducersWork(Loop, Plan, Index);
  return V;
}

} // namespace kpipe
