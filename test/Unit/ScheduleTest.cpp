// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The validator of schedules, fed with every schedule that kpipe makes and with
// each of them broken in one place.
#include "Emission/Schedule.h"
#include "ScheduleFixture.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace kpipe;
using Kind = ScheduleStep::Kind;

namespace {

std::vector<ScheduleCase> allCases() {
  std::vector<ScheduleCase> Cases;
  for (ScheduleKind Kind : {ScheduleKind::Peeled, ScheduleKind::Guarded})
    for (bool Before : {false, true})
      for (bool After : {false, true})
        for (bool Empty : {false, true})
          for (bool StageAfter : {false, true}) {
            auto add = [&](unsigned Stages, bool Async, bool Registers,
                           unsigned InRegisters = 1) {
              Cases.push_back({{Stages, Async, Registers, Empty, Before, After,
                                StageAfter, InRegisters},
                               Kind});
            };
            for (unsigned Stages = 2; Stages <= 8; ++Stages)
              for (auto [Async, Registers] :
                   {std::pair(true, false), {false, true}, {true, true}})
                add(Stages, Async, Registers);
            add(1, false, true);
            for (unsigned InRegisters = 2; InRegisters <= 7; ++InRegisters)
              for (unsigned Stages : {1, 2})
                add(Stages, false, true, InRegisters);
          }
  return Cases;
}

const char *nameOf(SchedulePart P) {
  const char *Names[] = {"Prologue", "Fill", "Steady", "Drain", "Epilogue"};
  return Names[llvm::find(AllParts, P) - AllParts];
}

/// The first step of a kind in one part of a schedule.
auto find(std::vector<ScheduleStep> &Steps, Kind K) {
  return llvm::find_if(Steps, [&](const ScheduleStep &S) { return S.Do == K; });
}

const ScheduleShape Copies{2, true, false};
const ScheduleShape Staged{2, false, true};
const ScheduleShape OneBuffer{1, false, true};

Schedule peeledSchedule(const ScheduleShape &Shape) {
  return makeSchedule(Shape, ScheduleKind::Peeled);
}

TEST(Schedule, WhatIsEmittedIsValid) {
  for (const ScheduleCase &C : allCases())
    EXPECT_EQ(verdict(C.make(), C.Shape), "");
}

TEST(Schedule, EveryStepIsNeeded) {
  for (const ScheduleCase &C : allCases()) {
    const Schedule Whole = C.make();
    for (SchedulePart P : AllParts)
      for (size_t I = 0; I != (Whole.*P).size(); ++I) {
        Schedule Broken = Whole;
        (Broken.*P).erase((Broken.*P).begin() + I);
        EXPECT_NE(verdict(Broken, C.Shape), "")
            << "step " << I << " of " << nameOf(P) << " is left out, "
            << C.Shape.Buffers << " stages";
      }
  }
}

TEST(Schedule, EveryQuestionIsNeeded) {
  for (const ScheduleCase &C : allCases()) {
    const Schedule Whole = C.make();
    for (SchedulePart P : AllParts)
      for (size_t I = 0; I != (Whole.*P).size(); ++I) {
        // The first tile of a loop that runs at least once is there.
        bool Only =
            P == &Schedule::Fill && Whole.Fills == 1 && !C.Shape.MayBeEmpty;
        if (!(Whole.*P)[I].IfThere || Only)
          continue;
        Schedule Broken = Whole;
        (Broken.*P)[I].IfThere = false;
        EXPECT_NE(verdict(Broken, C.Shape), "")
            << "step " << I << " does not ask if its tile exists";
      }
  }
}

TEST(Schedule, EveryNeighbourIsInOrder) {
  // Two steps may change places only where the one does not see the other.
  auto commute = [](const ScheduleStep &A, const ScheduleStep &B) {
    auto Is = [&](Kind X, Kind Y) {
      return (A.Do == X && B.Do == Y) || (A.Do == Y && B.Do == X);
    };
    return Is(Kind::Store, Kind::Commit) || Is(Kind::Store, Kind::Wait) ||
           Is(Kind::Compute, Kind::Commit) || Is(Kind::Barrier, Kind::Turn) ||
           Is(Kind::Barrier, Kind::TurnBack) || Is(Kind::Barrier, Kind::Commit);
  };
  for (const ScheduleCase &C : allCases()) {
    const ScheduleShape &Shape = C.Shape;
    const Schedule Whole = C.make();
    const bool AtTheHead = Whole.Fills != 0;
    for (SchedulePart P : AllParts)
      for (size_t I = 1; I < (Whole.*P).size(); ++I) {
        Schedule Swapped = Whole;
        ScheduleStep &A = (Swapped.*P)[I - 1], &B = (Swapped.*P)[I];
        // Legal as well, and slower: no latency is hidden.
        bool Later = A.Do == Kind::Load && B.Do == Kind::Compute;
        bool Sooner = Shape.Buffers > 1 && A.Do == Kind::Compute &&
                      (B.Do == Kind::Store || B.Do == Kind::Wait);
        // Registers are filled without a look at shared memory.
        bool Private =
            !Shape.Async && A.Do == Kind::Barrier && B.Do == Kind::Load;
        if (commute(A, B) || Later || Sooner || Private)
          continue;
        std::swap(A, B);
        EXPECT_NE(verdict(Swapped, Shape), "")
            << "steps " << I - 1 << " and " << I << " are swapped, "
            << Shape.Buffers << " stages" << (AtTheHead ? " at the head" : "");
      }
  }
}

TEST(Schedule, AWaitThatIsTooWeakForItsStages) {
  for (const ScheduleCase &C : allCases())
    for (SchedulePart P : AllParts) {
      Schedule S = C.make();
      auto Wait = find(S.*P, Kind::Wait);
      if (Wait == (S.*P).end())
        continue;
      ++Wait->Pending;
      EXPECT_NE(verdict(S, C.Shape), "") << C.Shape.Buffers << " stages";
    }
}

TEST(Schedule, NotAllOfTheFill) {
  for (const ScheduleCase &C : allCases()) {
    Schedule S = C.make();
    if (!S.Fills)
      continue;
    --S.Fills;
    EXPECT_NE(verdict(S, C.Shape), "") << C.Shape.Buffers << " stages";
  }
}

TEST(Schedule, AStageVariableThatIsOffAfterTheLoop) {
  ScheduleShape Shape{3, true, false};
  Shape.StageAfter = true;
  Schedule S = peeledSchedule(Shape);
  S.Epilogue.erase(find(S.Epilogue, Kind::TurnBack));
  EXPECT_EQ(verdict(S, Shape), "the stage after the loop is not that of the "
                               "last tile (of 1 tiles)");
}

TEST(Schedule, AWaitThatIsTooWeak) {
  Schedule S = peeledSchedule(Copies);
  find(S.Steady, Kind::Wait)->Pending = 1;
  EXPECT_EQ(verdict(S, Copies), "tile 1 is computed before its copies are "
                                "waited for (of 2 tiles)");
}

TEST(Schedule, ACommitThatIsMissing) {
  Schedule S = peeledSchedule(Copies);
  S.Steady.erase(find(S.Steady, Kind::Commit));
  EXPECT_EQ(verdict(S, Copies), "tile 1 is computed before its copies are "
                                "committed (of 2 tiles)");
}

TEST(Schedule, ABarrierThatIsMissing) {
  Schedule S = peeledSchedule(Copies);
  S.Steady.erase(find(S.Steady, Kind::Barrier));
  EXPECT_EQ(verdict(S, Copies), "tile 1 is computed without a barrier since it "
                                "arrived (of 2 tiles)");
  S = peeledSchedule(OneBuffer);
  S.Steady.erase(find(S.Steady, Kind::Barrier));
  EXPECT_EQ(verdict(S, OneBuffer),
            "tile 1 overwrites stage 0 without a barrier "
            "since it was read (of 2 tiles)");
}

TEST(Schedule, ATileTooFar) {
  Schedule S = peeledSchedule(Copies);
  find(S.Steady, Kind::Load)->Tile = 2;
  EXPECT_EQ(verdict(S, Copies),
            "tile 2 is loaded, which does not exist (of 2 tiles)");
}

TEST(Schedule, AStageOffByOne) {
  Schedule S = peeledSchedule(Copies);
  find(S.Steady, Kind::Load)->Stage = 0;
  EXPECT_EQ(verdict(S, Copies), "tile 1 overwrites tile 0, which was not "
                                "computed (of 2 tiles)");
  S = peeledSchedule(Copies);
  S.Epilogue.front().Stage = 1;
  EXPECT_EQ(verdict(S, Copies), "tile 0 is computed from stage 1, which does "
                                "not hold it (of 1 tiles)");
}

TEST(Schedule, AnEpilogueThatIsDropped) {
  Schedule S = peeledSchedule(Staged);
  S.Epilogue.clear();
  EXPECT_EQ(verdict(S, Staged), "0 tiles are computed (of 1 tiles)");
}

TEST(Schedule, APrologueForZeroTrips) {
  Schedule S = peeledSchedule(Copies);
  S.Guarded = false;
  EXPECT_EQ(verdict(S, Copies),
            "tile 0 is loaded, which does not exist (of 0 tiles)");
}

TEST(Schedule, RegistersThatAreOverwritten) {
  Schedule S = peeledSchedule(Staged);
  S.Steady.erase(find(S.Steady, Kind::Store));
  EXPECT_EQ(verdict(S, Staged), "tile 1 is computed from stage 1, which does "
                                "not hold it (of 2 tiles)");
}

TEST(Schedule, CopiesInFlightToOneStage) {
  Schedule S = peeledSchedule(Copies);
  S.Prologue.insert(S.Prologue.begin(), ScheduleStep::load(0, 0));
  EXPECT_EQ(verdict(S, Copies), "tile 0 is written to stage 0 while tile 0 is "
                                "in flight to it (of 1 tiles)");
}

TEST(Schedule, RegistersThatAreFilledTwice) {
  Schedule S = peeledSchedule(Staged);
  S.Prologue.insert(S.Prologue.begin(), ScheduleStep::load(0, 0));
  EXPECT_EQ(verdict(S, Staged),
            "tile 0 is lost in registers, never stored (of 1 tiles)");
}

TEST(Schedule, AStoreOfAnotherTile) {
  Schedule S = peeledSchedule(Staged);
  find(S.Steady, Kind::Store)->Tile = 0;
  EXPECT_EQ(verdict(S, Staged),
            "tile 0 is stored, but is not in registers (of 2 tiles)");
}

TEST(Schedule, TilesOutOfOrder) {
  Schedule S = peeledSchedule(Copies);
  find(S.Steady, Kind::Compute)->Tile = 1;
  EXPECT_EQ(verdict(S, Copies),
            "tile 1 is computed, but it is tile 0's turn (of 2 tiles)");
}

TEST(Schedule, CopiesInFlightAtTheEnd) {
  Schedule S = peeledSchedule(Copies);
  S.Epilogue.push_back(ScheduleStep::load(0, 1));
  EXPECT_EQ(verdict(S, Copies), "tile 0 is in flight at the end (of 1 tiles)");
}

TEST(Schedule, WhatFollowsTheLoop) {
  ScheduleShape Shape = Copies;
  Schedule S = peeledSchedule(Shape);
  Shape.BarrierAfter = true;
  EXPECT_EQ(verdict(S, Shape), "a stage is read without a barrier before what "
                               "follows the loop (of 1 tiles)");
}

TEST(Schedule, ASlotThatIsNotFree) {
  ScheduleShape Shape = Staged;
  Shape.InRegisters = 2;
  Schedule S = peeledSchedule(Shape);
  // The load before the store.
  std::rotate(S.Steady.begin(), S.Steady.begin() + 2, S.Steady.begin() + 3);
  EXPECT_EQ(verdict(S, Shape),
            "tile 0 is lost in registers, never stored (of 3 tiles)");
  S = peeledSchedule(Shape);
  S.Slots = 3; // as many as the loop knows, not as there are
  EXPECT_NE(verdict(S, Shape), "");
}

TEST(Schedule, TraceHasTilesAndBuffers) {
  using Phase = TimelineStep::Phase;
  using Kind = TimelineStep::Kind;
  Timeline T = traceSchedule(peeledSchedule(Copies), Copies, 2);
  EXPECT_EQ(T.Buffers, 2u);
  EXPECT_EQ(T.Tiles, 2u);
  EXPECT_TRUE(T.Async);
  EXPECT_FALSE(T.Registers);
  const std::vector<TimelineStep> Expected = {
      {Phase::Prologue, Kind::Load, 0, 0}, {Phase::Prologue, Kind::Commit},
      {Phase::Prologue, Kind::Wait},       {Phase::Prologue, Kind::Barrier},
      {Phase::Steady, Kind::Load, 1, 1},   {Phase::Steady, Kind::Commit},
      {Phase::Steady, Kind::Compute, 0, 0}, {Phase::Steady, Kind::Wait},
      {Phase::Steady, Kind::Barrier},      {Phase::Epilogue, Kind::Compute, 1, 1}};
  EXPECT_EQ(T.Steps, Expected);
}

TEST(Schedule, PartsForMeasurementsKeepTheirBarriers) {
  for (const ScheduleCase &C : allCases()) {
    Schedule Whole = C.make();
    Schedule Loads = partOf(Whole, LoopPart::Loads);
    Schedule Compute = partOf(Whole, LoopPart::Compute);
    auto Count = [](const Schedule &S, Kind K) {
      return llvm::count_if(S.Steady,
                            [&](const ScheduleStep &X) { return X.Do == K; });
    };
    EXPECT_EQ(Loads.Steady.size(), Whole.Steady.size());
    EXPECT_EQ(Count(Loads, Kind::Compute), 0);
    EXPECT_EQ(Count(Loads, Kind::Touch), 1);
    EXPECT_EQ(Count(Compute, Kind::Compute), 1);
    for (Kind K : {Kind::Load, Kind::Commit, Kind::Store, Kind::Wait})
      EXPECT_EQ(Count(Compute, K), 0);
    EXPECT_EQ(Count(Compute, Kind::Barrier), Count(Whole, Kind::Barrier));
    EXPECT_EQ(Compute.Prologue.size(), Whole.Prologue.size());
    EXPECT_NE(verdict(Loads, C.Shape), "");
  }
}

} // namespace
