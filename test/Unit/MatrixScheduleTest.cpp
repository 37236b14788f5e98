// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules of plain tiles that wgmma reads: valid as they are made, in all forms;
// not without one of their fences or waits, and not with a wait for less.
#include "Emission/Schedule.h"
#include "ScheduleFixture.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace kpipe;
using Kind = ScheduleStep::Kind;

namespace {

/// Drains: the author's wait went, and none is in flight; neither: the author's
/// wait is a part of the compute.
std::vector<ScheduleCase> matrixCases() {
  std::vector<ScheduleCase> Cases;
  for (ScheduleKind Kind : {ScheduleKind::Peeled, ScheduleKind::Guarded})
    for (unsigned Stages = 1; Stages != 7; ++Stages)
      for (auto [Async, Registers] :
           {std::pair(true, false), {false, true}, {true, true}})
        for (unsigned Waits = 0; Waits != 3; ++Waits) {
          ScheduleCase C;
          C.Kind = Kind;
          C.Shape.Buffers = Stages;
          C.Shape.Async = Async;
          C.Shape.Registers = Registers;
          C.Shape.Proxies = true;
          C.Shape.InFlight = Waits == 1;
          C.Shape.Drains = Waits == 2;
          if (Stages < (C.Shape.InFlight ? 3u : 2u) &&
              (Async || C.Shape.InFlight))
            continue;
          Cases.push_back(C);
          for (unsigned Tiles = 2; Stages <= 2 && !Async && Tiles != 4; ++Tiles) {
            Cases.push_back(C);
            Cases.back().Shape.InRegisters = Tiles;
          }
        }
  return Cases;
}

TEST(MatrixSchedule, IsValidAsItIsMade) {
  for (const ScheduleCase &C : matrixCases())
    EXPECT_EQ(verdict(C.make(), C.Shape), "")
        << C.Shape.Buffers << " stages, " << C.Shape.InRegisters;
}

TEST(MatrixSchedule, NeedsEachFenceAndWait) {
  for (const ScheduleCase &C : matrixCases())
    for (SchedulePart P : AllParts)
      for (size_t I = 0; I != (C.make().*P).size(); ++I) {
        Schedule Broken = C.make();
        const Kind Do = (Broken.*P)[I].Do;
        if (Do != Kind::ProxyFence && Do != Kind::MatrixWait)
          continue;
        // No tile is loaded any more, and all are waited for behind it.
        if (P == &Schedule::Drain && C.Shape.InFlight && Do == Kind::MatrixWait)
          continue;
        (Broken.*P).erase((Broken.*P).begin() + I);
        EXPECT_NE(verdict(Broken, C.Shape), "")
            << C.Shape.Buffers << " stages, step " << I;
      }
}

TEST(MatrixSchedule, FencesBehindTheWaitAndBeforeTheBarrier) {
  for (const ScheduleCase &C : matrixCases())
    for (SchedulePart P : AllParts)
      for (size_t I = 0; I + 1 < (C.make().*P).size(); ++I) {
        Schedule Swapped = C.make();
        std::vector<ScheduleStep> &Steps = Swapped.*P;
        const bool Fence = Steps[I].Do == Kind::ProxyFence &&
                           Steps[I + 1].Do == Kind::Barrier;
        const bool Wait = (Steps[I].Do == Kind::Wait ||
                           Steps[I].Do == Kind::Store) &&
                          Steps[I + 1].Do == Kind::ProxyFence;
        if (!Fence && !Wait)
          continue;
        std::swap(Steps[I], Steps[I + 1]);
        EXPECT_NE(verdict(Swapped, C.Shape), "")
            << C.Shape.Buffers << " stages, step " << I;
      }
}

TEST(MatrixSchedule, WaitsForTheGroupOfTheStageThatIsLoaded) {
  for (const ScheduleCase &C : matrixCases()) {
    Schedule S = C.make();
    bool Any = false;
    for (ScheduleStep &Step : S.Steady)
      if (Step.Do == Kind::MatrixWait && ++Step.Pending)
        Any = true;
    if (Any)
      EXPECT_NE(verdict(S, C.Shape), "") << C.Shape.Buffers << " stages";
  }
}

TEST(MatrixSchedule, LeavesTheStageThatIsReadInFlight) {
  ScheduleShape Shape;
  Shape.Buffers = 4;
  Shape.Async = Shape.Proxies = Shape.InFlight = true;
  EXPECT_EQ(Shape.ahead(), 2u);
  Schedule S = makeSchedule(Shape, ScheduleKind::Guarded);
  for (ScheduleStep &Step : S.Steady)
    if (Step.Do == Kind::Load)
      Step.Stage = 3; // of the tile before
  EXPECT_NE(verdict(S, Shape), "");
}

} // namespace
