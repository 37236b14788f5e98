// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule of a ring that the copy engine fills, and its symbolic run. One
// thread is run among others: what it has read, others may still read until
// each has released it and they met at a barrier; what wgmma reads is read until
// the wait for its group. Copies of a stage are waited for at its mbarrier, one
// phase a tile.
#include "Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <optional>

namespace kpipe {

using Step = ScheduleStep;

Schedule makeRingSchedule(const ScheduleShape &Shape) {
  const unsigned Ahead = Shape.Buffers - 1;
  Schedule S;
  S.Guarded = false; // every tile is asked for before it is loaded
  if (Shape.BarrierBefore)
    S.Prologue.push_back(Step::barrier());
  S.Fills = Ahead;
  S.Fill.push_back(Step::load(0, 0).ifThere());
  S.SteadyAhead = 0;
  // All threads have left the tile before, and say so to the copy engine: while
  // wgmma compute this one, or else where they wait for it anyway.
  const Step Bring[] = {Step::release(), Step::barrier(),
                        Step::proxyFence().ifThere(),
                        Step::load(Ahead, Ahead).ifThere()};
  S.Steady = {Step::waitFull()};
  if (!Shape.InFlight)
    llvm::append_range(S.Steady, Bring);
  S.Steady.push_back(Step::compute(0, 0));
  if (Shape.InFlight) {
    S.Steady.push_back(Step::matrixWait(1));
    llvm::append_range(S.Steady, Bring);
  }
  S.Steady.push_back(Step::turn());
  if (Shape.InFlight)
    S.Epilogue.push_back(Step::matrixWait(0));
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

namespace {

/// One stage, as the thread that is run knows it.
struct RingSlot {
  enum class State {
    Free,     ///< nobody reads it
    Issued,   ///< copies are on their way
    Full,     ///< this thread has waited for them
    Read,     ///< this thread computes with it, or its wgmma do
    Done,     ///< this thread does not read it any more
    Released, ///< and its reads come before what follows the next barrier
    Unfenced  ///< all threads are done, but nothing orders their reads
  } Now = State::Free;
  unsigned Tile = 0, Phases = 0;
  bool NeedsFence = false;
};

class RingRun {
public:
  RingRun(const Schedule &S, const ScheduleShape &Shape, unsigned Trips)
      : S(S), Shape(Shape), Trips(Trips), Slots(Shape.Buffers) {}

  Message run() {
    if (Trips == 0 && S.Guarded)
      return {};
    sequence(S.Prologue);
    for (unsigned I = 0; I != S.Fills; ++I)
      sequence(S.Fill, I);
    Now = TimelineStep::Phase::Steady;
    for (; Failure.empty() && First + S.SteadyAhead < Trips; ++First)
      sequence(S.Steady);
    Now = TimelineStep::Phase::Epilogue;
    for (; Failure.empty() && !S.Drain.empty() && First < Trips; ++First)
      sequence(S.Drain);
    sequence(S.Epilogue);
    atTheEnd();
    return Failure;
  }

  std::vector<TimelineStep> Trace;

private:
  const Schedule &S;
  const ScheduleShape &Shape;
  const unsigned Trips;
  unsigned First = 0, Stage = 0, Parity = 0, Computed = 0;
  std::vector<RingSlot> Slots;
  std::deque<unsigned> Matrix; ///< stages whose wgmma are in flight
  bool Fenced = false;         ///< since the last barrier
  TimelineStep::Phase Now = TimelineStep::Phase::Prologue;
  Message Failure;

  void note(TimelineStep::Kind Do, unsigned Tile = 0, unsigned At = 0,
            unsigned Pending = 0) {
    Trace.push_back({Now, Do, Tile, At, Pending});
  }

  template <typename... Ts> void fail(msg::Id What, const Ts &...Arguments) {
    if (!Failure)
      Failure = {msg::schedule_of_tiles, Message(What, Arguments...), Trips};
  }

  void sequence(const std::vector<ScheduleStep> &Steps, unsigned Turn = 0) {
    for (const ScheduleStep &Step : Steps) {
      if (!Failure.empty())
        return;
      const unsigned Tile = First + Step.Tile + Turn;
      // A fence stands under the condition of the load behind it.
      if (!Step.IfThere || Tile < Trips || Step.Do == Step::Kind::ProxyFence)
        one(Step, Tile, (Stage + Step.Stage + Turn) % Shape.Buffers);
    }
  }

  void one(const ScheduleStep &Step, unsigned Tile, unsigned At) {
    switch (Step.Do) {
    case Step::Kind::Load:
      return load(Tile, At);
    case Step::Kind::WaitFull:
      return waitFull(Tile, At);
    case Step::Kind::Compute:
      return compute(Tile, At);
    case Step::Kind::MatrixWait:
      while (Matrix.size() > Step.Pending) {
        Slots[Matrix.front()].Now = RingSlot::State::Done;
        Matrix.pop_front();
      }
      return;
    case Step::Kind::Release:
      for (RingSlot &X : Slots)
        if (X.Now == RingSlot::State::Done)
          X.Now = RingSlot::State::Released;
      return;
    case Step::Kind::Barrier:
      return barrier();
    case Step::Kind::ProxyFence:
      Fenced = true;
      return;
    case Step::Kind::Turn:
      Stage = (Stage + 1) % Shape.Buffers;
      Parity ^= Stage == 0;
      return;
    default:
      return fail(msg::schedule_part);
    }
  }

  void load(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Load, Tile, At);
    RingSlot &X = Slots[At];
    if (Tile >= Trips)
      return fail(msg::schedule_no_such_tile, Tile);
    if (X.Now == RingSlot::State::Issued || X.Now == RingSlot::State::Full)
      return fail(msg::schedule_written_in_flight, Tile, At, X.Tile);
    if (X.Now == RingSlot::State::Unfenced || (X.NeedsFence && !Fenced))
      return fail(msg::schedule_no_fence, Tile, At);
    if (X.Now != RingSlot::State::Free)
      return fail(msg::schedule_not_released, Tile, At);
    X.Now = RingSlot::State::Issued;
    X.Tile = Tile;
    ++X.Phases;
  }

  void waitFull(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Wait, 0, 0, Shape.Buffers - 2);
    RingSlot &X = Slots[At];
    if (X.Now != RingSlot::State::Issued || X.Tile != Tile)
      return fail(msg::schedule_wrong_stage, Tile, At);
    if (Parity != (X.Phases - 1) % 2)
      return fail(msg::schedule_parity, Tile);
    X.Now = RingSlot::State::Full;
  }

  void compute(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Compute, Tile, At);
    RingSlot &X = Slots[At];
    if (Tile != Computed)
      return fail(msg::schedule_out_of_turn, Tile, Computed);
    if (X.Tile != Tile)
      return fail(msg::schedule_wrong_stage, Tile, At);
    if (X.Now != RingSlot::State::Full)
      return fail(msg::schedule_not_full, Tile);
    // What waits for its own wgmma has read all at its end.
    X.Now = Shape.InFlight ? RingSlot::State::Read : RingSlot::State::Done;
    if (Shape.InFlight)
      Matrix.push_back(At);
    ++Computed;
  }

  void barrier() {
    note(TimelineStep::Kind::Barrier);
    Fenced = false;
    for (RingSlot &X : Slots) {
      if (X.Now == RingSlot::State::Released)
        X.Now = RingSlot::State::Free;
      else if (X.Now == RingSlot::State::Done)
        X.Now = RingSlot::State::Unfenced;
      X.NeedsFence |= X.Phases != 0;
    }
  }

  void atTheEnd() {
    if (Computed != Trips)
      fail(msg::schedule_tiles_computed, Computed);
    for (const RingSlot &X : Slots)
      if (X.Now == RingSlot::State::Issued || X.Now == RingSlot::State::Full)
        fail(msg::schedule_left_in_flight, X.Tile);
    if (!Matrix.empty())
      fail(msg::schedule_left_in_flight, Slots[Matrix.front()].Tile);
  }
};

} // namespace

Message validateRing(const Schedule &S, const ScheduleShape &Shape) {
  for (unsigned Trips = 0; Trips <= 4 * Shape.Buffers + 1; ++Trips)
    if (Message Wrong = RingRun(S, Shape, Trips).run())
      return Wrong;
  return {};
}

Timeline traceRing(const Schedule &S, const ScheduleShape &Shape,
                   unsigned Tiles) {
  RingRun R(S, Shape, Tiles);
  R.run();
  return {Shape.Buffers, Tiles, true, false, std::move(R.Trace)};
}

} // namespace kpipe
