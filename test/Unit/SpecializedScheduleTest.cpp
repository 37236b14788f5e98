// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule of a ring with a producer of its own: valid as it is made, and
// with any step left out, done sooner, or done for another stage it is not.
#include "Emission/Schedule.h"
#include "ScheduleFixture.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

using Kind = ScheduleStep::Kind;

Schedule specialized(const ScheduleShape &Shape) {
  return makeSchedule(Shape, ScheduleKind::Specialized);
}

/// The step of a kind in a sequence.
ScheduleStep &stepOfKind(std::vector<ScheduleStep> &In, Kind Of) {
  for (ScheduleStep &Step : In)
    if (Step.Do == Of)
      return Step;
  ADD_FAILURE() << "no such step";
  return In.front();
}

TEST(SpecializedSchedule, IsValidAsItIsMade) {
  for (unsigned Stages = 2; Stages != 9; ++Stages)
    for (bool InFlight : {false, true}) {
      ScheduleShape Shape = bulkShape(Stages, InFlight);
      EXPECT_EQ(verdict(specialized(Shape), Shape), "") << Stages;
      Shape.BarrierAfter = true;
      EXPECT_EQ(verdict(specialized(Shape), Shape), "") << Stages;
    }
}

TEST(SpecializedSchedule, NeedsEachStep) {
  for (unsigned Stages = 2; Stages != 5; ++Stages)
    for (bool InFlight : {false, true}) {
      ScheduleShape Shape = bulkShape(Stages, InFlight);
      Shape.BarrierAfter = true;
      const Schedule Whole = specialized(Shape);
      for (std::vector<ScheduleStep> Schedule::*P :
           {&Schedule::Prologue, &Schedule::Producer, &Schedule::Steady,
            &Schedule::Epilogue})
        for (size_t I = 0; I != (Whole.*P).size(); ++I) {
          Schedule Broken = Whole;
          (Broken.*P).erase((Broken.*P).begin() + I);
          EXPECT_NE(verdict(Broken, Shape), "")
              << "without step " << I << " of " << Stages << " stages";
        }
    }
}

TEST(SpecializedSchedule, KeepsItsOrder) {
  for (bool InFlight : {false, true}) {
    const ScheduleShape Shape = bulkShape(3, InFlight);
    const Schedule Whole = specialized(Shape);
    for (std::vector<ScheduleStep> Schedule::*P :
         {&Schedule::Producer, &Schedule::Steady})
      for (size_t I = 1; I != (Whole.*P).size(); ++I) {
        Schedule Swapped = Whole;
        std::swap((Swapped.*P)[I - 1], (Swapped.*P)[I]);
        EXPECT_NE(verdict(Swapped, Shape), "") << "step " << I;
      }
  }
}

TEST(SpecializedSchedule, FreesTheTileThatIsDoneWith) {
  for (unsigned Stages = 2; Stages != 6; ++Stages)
    for (bool InFlight : {false, true}) {
      const ScheduleShape Shape = bulkShape(Stages, InFlight);
      for (unsigned Other = 0; Other != Stages; ++Other) {
        Schedule S = specialized(Shape);
        ScheduleStep &Free = stepOfKind(S.Steady, Kind::Free);
        const bool Same = Free.Stage == Other;
        Free.Stage = Other;
        EXPECT_EQ(verdict(S, Shape).empty(), Same) << Stages << " " << Other;
      }
    }
}

TEST(SpecializedSchedule, FlipsEachParityWithItsStage) {
  for (bool InFlight : {false, true}) {
    const ScheduleShape Shape = bulkShape(4, InFlight);
    for (std::vector<ScheduleStep> Schedule::*P :
         {&Schedule::Producer, &Schedule::Steady})
      for (unsigned Other = 0; Other != 4; ++Other) {
        Schedule S = specialized(Shape);
        ScheduleStep &Turn = stepOfKind(S.*P, Kind::Turn);
        const bool Same = Turn.Stage == Other;
        Turn.Stage = Other;
        EXPECT_EQ(verdict(S, Shape).empty(), Same) << Other;
      }
  }
}

TEST(SpecializedSchedule, WaitsForTheRightGroupOfWgmma) {
  const ScheduleShape Shape = bulkShape(3, true);
  for (unsigned Pending : {0u, 2u}) {
    Schedule S = specialized(Shape);
    stepOfKind(S.Steady, Kind::MatrixWait).Pending = Pending;
    EXPECT_EQ(verdict(S, Shape).empty(), Pending == 0) << Pending;
  }
}

TEST(SpecializedSchedule, RunsEveryTileOnce) {
  const ScheduleShape Shape = bulkShape(3, true);
  const Timeline Run = traceSchedule(specialized(Shape), Shape, 5);
  unsigned Loads = 0, Computed = 0, Barriers = 0;
  for (const TimelineStep &Step : Run.Steps) {
    Barriers += Step.Do == TimelineStep::Kind::Barrier;
    if (Step.Do == TimelineStep::Kind::Load)
      EXPECT_EQ(Step.Tile, Loads++);
    if (Step.Do == TimelineStep::Kind::Compute)
      EXPECT_EQ(Step.Tile, Computed++);
    EXPECT_LE(Loads, Computed + 3);
  }
  EXPECT_EQ(Loads, 5u);
  EXPECT_EQ(Computed, 5u);
  EXPECT_EQ(Barriers, 1u);
}

TEST(SpecializedSchedule, PartsEnd) {
  for (bool InFlight : {false, true}) {
    const ScheduleShape Shape = bulkShape(3, InFlight);
    const Schedule Loads = partOf(specialized(Shape), LoopPart::Loads);
    EXPECT_EQ(stepOfKind(const_cast<Schedule &>(Loads).Steady, Kind::Touch).Do,
              Kind::Touch);
    const Schedule Compute = partOf(specialized(Shape), LoopPart::Compute);
    for (const ScheduleStep &Step : Compute.Producer)
      EXPECT_NE(Step.Do, Kind::Load);
  }
}

} // namespace
