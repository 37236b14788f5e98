// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule of a ring that the copy engine fills: valid as it is made, and
// with any step left out, done sooner, or done for another tile it is not.
#include "Emission/Schedule.h"
#include "ScheduleFixture.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

using Kind = ScheduleStep::Kind;

TEST(RingSchedule, IsValidAsItIsMade) {
  for (unsigned Stages = 2; Stages != 7; ++Stages)
    for (bool InFlight : {false, true}) {
      const ScheduleShape Shape = bulkShape(Stages, InFlight);
      EXPECT_EQ(verdict(makeSchedule(Shape, ScheduleKind::Guarded), Shape), "")
          << Stages;
    }
}

TEST(RingSchedule, NeedsEachStep) {
  for (unsigned Stages = 2; Stages != 5; ++Stages)
    for (bool InFlight : {false, true}) {
      const ScheduleShape Shape = bulkShape(Stages, InFlight);
      const Schedule Whole = makeSchedule(Shape, ScheduleKind::Guarded);
      for (std::vector<ScheduleStep> Schedule::*P :
           {&Schedule::Fill, &Schedule::Steady, &Schedule::Epilogue})
        for (size_t I = 0; I != (Whole.*P).size(); ++I) {
          Schedule Broken = Whole;
          (Broken.*P).erase((Broken.*P).begin() + I);
          EXPECT_NE(verdict(Broken, Shape), "")
              << "without step " << I << " of " << Stages << " stages";
        }
    }
}

TEST(RingSchedule, WaitsForTheRightGroupOfWgmma) {
  const ScheduleShape Shape = bulkShape(3, true);
  Schedule S = makeSchedule(Shape, ScheduleKind::Guarded);
  for (ScheduleStep &Step : S.Steady)
    if (Step.Do == Kind::MatrixWait)
      Step.Pending = 2;
  EXPECT_NE(verdict(S, Shape), "");
}

/// Whether one of two steps follows the other makes no difference.
bool areApart(const ScheduleStep &A, const ScheduleStep &B) {
  auto are = [&](Kind X, Kind Y) { return A.Do == X && B.Do == Y; };
  return are(Kind::WaitFull, Kind::Release) || are(Kind::Load, Kind::Compute);
}

TEST(RingSchedule, LoadsBehindTheBarrierAndItsFence) {
  for (bool InFlight : {false, true}) {
    const ScheduleShape Shape = bulkShape(3, InFlight);
    const Schedule Whole = makeSchedule(Shape, ScheduleKind::Guarded);
    // What is done sooner is done too soon.
    for (size_t I = 1; I != Whole.Steady.size(); ++I) {
      Schedule Swapped = Whole;
      std::swap(Swapped.Steady[I - 1], Swapped.Steady[I]);
      EXPECT_EQ(verdict(Swapped, Shape) == "",
                areApart(Whole.Steady[I - 1], Whole.Steady[I]))
          << "step " << I;
    }
  }
}

TEST(RingSchedule, AGroupInFlightIsReadUntilItsWait) {
  const Schedule S = makeSchedule(bulkShape(3, false), ScheduleKind::Guarded);
  EXPECT_NE(verdict(S, bulkShape(3, true)), "");
}

TEST(RingSchedule, LoadsTilesThatExistToStagesThatAreFree) {
  const ScheduleShape Shape = bulkShape(3, true);
  for (unsigned Other : {1u, 3u}) {
    Schedule S = makeSchedule(Shape, ScheduleKind::Guarded);
    for (ScheduleStep &Step : S.Steady)
      if (Step.Do == Kind::Load)
        Step.Stage = Other;
    EXPECT_NE(verdict(S, Shape), "") << Other;
  }
  Schedule S = makeSchedule(Shape, ScheduleKind::Guarded);
  for (ScheduleStep &Step : S.Steady)
    Step.IfThere = false;
  EXPECT_NE(verdict(S, Shape), "");
}

} // namespace
