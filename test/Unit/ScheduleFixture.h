// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of schedules have in common.
#ifndef KPIPE_TEST_UNIT_SCHEDULEFIXTURE_H
#define KPIPE_TEST_UNIT_SCHEDULEFIXTURE_H

#include "Emission/Schedule.h"
#include <string>
#include <vector>

/// What a schedule is made from.
struct ScheduleCase {
  kpipe::ScheduleShape Shape;
  kpipe::ScheduleKind Kind;
  kpipe::Schedule make() const { return kpipe::makeSchedule(Shape, Kind); }
};

using SchedulePart = std::vector<kpipe::ScheduleStep> kpipe::Schedule::*;
inline const SchedulePart AllParts[] = {
    &kpipe::Schedule::Prologue, &kpipe::Schedule::Fill,
    &kpipe::Schedule::Steady, &kpipe::Schedule::Drain,
    &kpipe::Schedule::Epilogue};

/// What the validator says against it; empty: nothing.
inline std::string verdict(const kpipe::Schedule &S,
                           const kpipe::ScheduleShape &Shape) {
  return kpipe::validateSchedule(S, Shape).str();
}

/// Of a ring that the copy engine fills.
inline kpipe::ScheduleShape bulkShape(unsigned Stages, bool InFlight) {
  kpipe::ScheduleShape Shape;
  Shape.Buffers = Stages;
  Shape.Bulk = true;
  Shape.InFlight = InFlight;
  return Shape;
}

#endif // KPIPE_TEST_UNIT_SCHEDULEFIXTURE_H
