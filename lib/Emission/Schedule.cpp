// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules that kpipe knows, see Schedule.h.

#include "Schedule.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

Schedule peeledSchedule(const ScheduleShape &Shape) {
  using Step = ScheduleStep;
  const bool Ring = Shape.Stages > 1;
  const unsigned Other = Ring ? 1 : 0;
  Schedule S;
  S.Guarded = Shape.MayBeEmpty;

  // Tile 0 is on its place and visible.
  if (Shape.BarrierBefore)
    S.Prologue.push_back(Step::barrier());
  S.Prologue.push_back(Step::load(0, 0));
  if (Shape.Async)
    S.Prologue.push_back(Step::commit());
  if (Shape.Registers)
    S.Prologue.push_back(Step::store(0, 0));
  if (Shape.Async)
    S.Prologue.push_back(Step::wait(0));
  S.Prologue.push_back(Step::barrier());

  // Tile 1 travels while tile 0 is computed. In a ring, the barrier that shows
  // tile 1 also frees the stage of tile 0; a single buffer needs one for each.
  S.Steady.push_back(Step::load(1, Other));
  if (Shape.Async)
    S.Steady.push_back(Step::commit());
  S.Steady.push_back(Step::compute(0, 0));
  if (!Ring)
    S.Steady.push_back(Step::barrier());
  if (Shape.Registers)
    S.Steady.push_back(Step::store(1, Other));
  if (Shape.Async)
    S.Steady.push_back(Step::wait(0));
  S.Steady.push_back(Step::barrier());
  if (Ring)
    S.Steady.push_back(Step::turn());

  S.Epilogue.push_back(Step::compute(0, 0));
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

Schedule partOf(Schedule S, LoopPart Part) {
  using Kind = ScheduleStep::Kind;
  for (std::vector<ScheduleStep> *Steps : {&S.Steady, &S.Epilogue}) {
    if (Part == LoopPart::Loads)
      for (ScheduleStep &Step : *Steps)
        if (Step.Do == Kind::Compute)
          Step.Do = Kind::Touch;
    // The barriers stay: behind one, shared memory has to be read again.
    if (Part == LoopPart::Compute)
      llvm::erase_if(*Steps, [](const ScheduleStep &Step) {
        return Step.Do == Kind::Load || Step.Do == Kind::Commit ||
               Step.Do == Kind::Store || Step.Do == Kind::Wait;
      });
  }
  return S;
}

} // namespace kpipe
