// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedules that kpipe knows, see Schedule.h.

#include "Schedule.h"
#include "kpipe/Plan.h"
#include "kpipe/TileLoop.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

using Step = ScheduleStep;
using Steps = std::vector<ScheduleStep>;

ScheduleShape scheduleShape(const TileLoop &Loop, const PipelinePlan &Plan) {
  ScheduleShape Shape;
  Shape.Buffers = Plan.Buffers;
  Shape.Async = Plan.hasRoute(Route::AsyncCopy);
  Shape.Registers = Plan.hasRoute(Route::Registers);
  Shape.InRegisters = Plan.TilesInRegisters;
  Shape.Bulk = Loop.Bulk.has_value();
  Shape.InFlight = Loop.matrixInFlight(Plan.Buffers);
  Shape.Proxies = Loop.crossesProxies();
  Shape.Drains =
      Loop.Matrix && Loop.Matrix->staysInFlight() && !Shape.InFlight;
  Shape.MayBeEmpty = Loop.Kind != LoopKind::Do;
  Shape.BarrierBefore = Loop.BarrierFirst || Loop.BarrierBefore;
  Shape.BarrierAfter = Loop.BarrierAfter;
  Shape.StageAfter =
      Plan.Buffers > 1 && llvm::any_of(Loop.Buffers, [](const StagedBuffer &B) {
        return !B.MentionsAfter.empty() || B.KeepsContents;
      });
  return Shape;
}

/// The barrier that shows what copies and stores brought.
static void show(const ScheduleShape &Shape, Steps &Out) {
  if (Shape.Proxies)
    Out.push_back(Step::proxyFence());
  Out.push_back(Step::barrier());
}

static void compute(const ScheduleShape &Shape, Steps &Out) {
  Out.push_back(Step::compute(0, 0));
  if (Shape.InFlight || Shape.Drains)
    Out.push_back(Step::matrixWait(Shape.InFlight));
}

/// The barrier that shows tile 1 stands at the end of tile 0. In a ring it also
/// frees the stage of tile 0; a single buffer needs a barrier for each.
static Schedule barrierAtTheEnd(const ScheduleShape &Shape) {
  const bool Ring = Shape.Buffers > 1;
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
  show(Shape, S.Prologue);

  // Tile 1 travels while tile 0 is computed.
  S.Steady.push_back(Step::load(1, Other));
  if (Shape.Async)
    S.Steady.push_back(Step::commit());
  compute(Shape, S.Steady);
  if (!Ring)
    S.Steady.push_back(Step::barrier());
  if (Shape.Registers)
    S.Steady.push_back(Step::store(1, Other));
  if (Shape.Async)
    S.Steady.push_back(Step::wait(0));
  show(Shape, S.Steady);
  if (Ring)
    S.Steady.push_back(Step::turn());

  compute(Shape, S.Epilogue);
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

/// What one tile does; Load: whether a tile is loaded meanwhile.
static Steps tile(const ScheduleShape &Shape, bool Load, bool IfThere) {
  const bool Ring = Shape.Buffers > 1;
  const unsigned Ahead = Shape.ahead(), To = Ring ? Ahead : 0;
  Steps Out;
  // Groups are closed for tiles that do not exist as well: so the newest
  // Ahead-1 groups are those of the tiles behind this one, up to the last.
  if (Shape.Async)
    Out.push_back(Step::wait(Ahead - 1));
  show(Shape, Out);
  if (Load)
    Out.push_back(Step::load(Ahead, To).ifThere(IfThere));
  if (Shape.Async)
    Out.push_back(Step::commit());
  compute(Shape, Out);
  if (Load && !Ring)
    Out.push_back(Step::barrier());
  if (Load && Shape.Registers)
    Out.push_back(Step::store(Ahead, To).ifThere(IfThere));
  if (Ring)
    Out.push_back(Step::turn());
  return Out;
}

/// The barrier that shows a tile stands at its head, and frees the stage of the
/// tile before, or of the one before that where wgmma stay in flight: that is
/// where the tile goes that is loaded next.
static Schedule barrierAtTheHead(const ScheduleShape &Shape,
                                 ScheduleKind Kind) {
  Schedule S;
  S.Guarded = false; // every tile is asked for before it is loaded
  if (Shape.BarrierBefore)
    S.Prologue.push_back(Step::barrier());

  S.Fills = Shape.ahead();
  S.Fill.push_back(Step::load(0, 0).ifThere());
  if (Shape.Registers)
    S.Fill.push_back(Step::store(0, 0).ifThere());
  if (Shape.Async)
    S.Fill.push_back(Step::commit());

  const bool Peeled = Kind == ScheduleKind::Peeled;
  S.SteadyAhead = Peeled ? Shape.ahead() : 0;
  S.Steady = tile(Shape, true, !Peeled);
  if (Peeled)
    S.Drain = tile(Shape, false, false);
  if (Shape.InFlight)
    S.Epilogue.push_back(Step::matrixWait(0));
  if (Shape.Buffers == 1)
    return S; // a barrier follows every read already
  if (Shape.StageAfter)
    S.Epilogue.push_back(Step::turnBack());
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

/// Each tile in registers has a slot; the tile that is stored leaves its own to
/// the one that is loaded. In a ring the barrier between store and compute frees
/// the stage of the tile before; a single buffer needs another one for that.
static Schedule severalInRegisters(const ScheduleShape &Shape) {
  Schedule S;
  S.Guarded = false;
  if (Shape.BarrierBefore)
    S.Prologue.push_back(Step::barrier());
  S.Slots = S.Fills = Shape.InRegisters;
  S.Fill.push_back(Step::load(0, 0).ifThere());
  S.SteadyAhead = 0;
  S.Steady = {Step::store(0, 0)};
  show(Shape, S.Steady);
  S.Steady.push_back(Step::load(Shape.InRegisters, 0).ifThere());
  compute(Shape, S.Steady);
  if (Shape.Buffers == 1) {
    S.Steady.push_back(Step::barrier());
    return S;
  }
  S.Steady.push_back(Step::turn());
  if (Shape.StageAfter)
    S.Epilogue.push_back(Step::turnBack());
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

Schedule makeSchedule(const ScheduleShape &Shape, ScheduleKind Kind) {
  if (Shape.Bulk)
    return Kind == ScheduleKind::Specialized ? makeSpecializedSchedule(Shape)
                                             : makeRingSchedule(Shape);
  if (Shape.InRegisters > 1)
    return severalInRegisters(Shape);
  if (Kind == ScheduleKind::Peeled && Shape.Buffers <= 2)
    return barrierAtTheEnd(Shape);
  return barrierAtTheHead(Shape, Kind);
}

Schedule partOf(Schedule S, LoopPart Part) {
  using Kind = ScheduleStep::Kind;
  for (std::vector<ScheduleStep> *Steps :
       {&S.Steady, &S.Drain, &S.Epilogue, &S.Producer}) {
    if (Part == LoopPart::Loads)
      for (ScheduleStep &Step : *Steps)
        if (Step.Do == Kind::Compute)
          Step.Do = Kind::Touch;
    // The barriers stay: behind one, shared memory has to be read again.
    if (Part == LoopPart::Compute)
      llvm::erase_if(*Steps, [](const ScheduleStep &Step) {
        return Step.Do == Kind::Load || Step.Do == Kind::Commit ||
               Step.Do == Kind::Store || Step.Do == Kind::Wait ||
               Step.Do == Kind::WaitFull || Step.Do == Kind::ProxyFence;
      });
  }
  return S;
}

} // namespace kpipe
