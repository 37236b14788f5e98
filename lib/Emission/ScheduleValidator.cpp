// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic execution of a schedule, see validateSchedule in Schedule.h. What is
// run is one thread of many: what it writes, others see after a barrier, and
// what it reads, others may still read until a barrier. Groups of asynchronous
// copies count per thread, as in PTX.

#include "Schedule.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <optional>

namespace kpipe {

namespace {

/// What one stage holds of the copies that travel one way.
struct Slot {
  enum class State {
    Nothing,
    Issued,  ///< asynchronous, not committed
    Flying,  ///< asynchronous, committed as group Group
    Arrived, ///< there for this thread
    Visible  ///< there for all threads of the block
  } Now = State::Nothing;
  std::optional<unsigned> Tile;
  unsigned Group = 0;
  bool Fenced = false; ///< for accesses of another proxy, by who brought it
  bool InFlight() const {
    return Now == State::Issued || Now == State::Flying;
  }
};

class Run {
public:
  Run(const Schedule &S, const ScheduleShape &Shape, unsigned Trips)
      : S(S), Shape(Shape), Trips(Trips), Async(Shape.Buffers),
        Stored(Shape.Buffers), Read(Shape.Buffers, Shape.BarrierBefore),
        InRegisters(Shape.InRegisters) {}

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

  /// What was done, step by step.
  std::vector<TimelineStep> Trace;

private:
  const Schedule &S;
  const ScheduleShape &Shape;
  const unsigned Trips;
  unsigned First = 0; ///< tile of the header's variables
  unsigned Stage = 0; ///< the stage variable
  unsigned InSlot = 0; ///< of InRegisters: which a step is about
  std::vector<Slot> Async, Stored;
  std::vector<bool> Read; ///< since the last barrier, by stage
  std::vector<std::optional<unsigned>> InRegisters; ///< tiles, by slot
  unsigned Groups = 0;   ///< committed
  unsigned Computed = 0; ///< tiles, in order
  std::deque<unsigned> Matrix; ///< stages whose wgmma are in flight
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
      unsigned Tile = First + Step.Tile + Turn;
      InSlot = (First + Turn) % S.Slots;
      if (!Step.IfThere || Tile < Trips)
        one(Step, Tile, (Stage + Step.Stage + Turn) % Shape.Buffers);
    }
  }

  void one(const ScheduleStep &Step, unsigned Tile, unsigned At) {
    switch (Step.Do) {
    case ScheduleStep::Kind::Load:
      return load(Tile, At);
    case ScheduleStep::Kind::Commit:
      return commit();
    case ScheduleStep::Kind::Store:
      return store(Tile, At);
    case ScheduleStep::Kind::Wait:
      return wait(Step.Pending);
    case ScheduleStep::Kind::Barrier:
      return barrier();
    case ScheduleStep::Kind::Compute:
      return compute(Tile, At);
    case ScheduleStep::Kind::MatrixWait:
      while (Matrix.size() > Step.Pending)
        Matrix.pop_front();
      return;
    case ScheduleStep::Kind::ProxyFence:
      for (std::vector<Slot> *Slots : {&Async, &Stored})
        for (Slot &X : *Slots)
          X.Fenced |= X.Now == Slot::State::Arrived;
      return;
    case ScheduleStep::Kind::Touch:
    case ScheduleStep::Kind::WaitFull:
    case ScheduleStep::Kind::Release:
    case ScheduleStep::Kind::Start:
    case ScheduleStep::Kind::WaitEmpty:
    case ScheduleStep::Kind::Free:
      return fail(msg::schedule_part);
    case ScheduleStep::Kind::Turn:
      Stage = (Stage + 1) % Shape.Buffers;
      return;
    case ScheduleStep::Kind::TurnBack:
      Stage = (Stage + Shape.Buffers - 1) % Shape.Buffers;
      return;
    }
  }

  /// May a tile be written over what a slot holds?
  bool free(const Slot &Old, unsigned Tile, unsigned At) {
    if (Old.InFlight())
      fail(msg::schedule_written_in_flight, Tile, At, *Old.Tile);
    else if (Read[At])
      fail(msg::schedule_overwrites_read, Tile, At);
    else if (Old.Tile && *Old.Tile >= Computed)
      fail(msg::schedule_overwrites_unread, Tile, *Old.Tile);
    return !Failure;
  }

  void load(unsigned Tile, unsigned At) {
    // What is bound for registers has a stage only when it is stored.
    note(TimelineStep::Kind::Load, Tile,
         Shape.InRegisters > 1 ? Tile % Shape.Buffers : At);
    if (Tile >= Trips)
      return fail(msg::schedule_no_such_tile, Tile);
    if (Shape.Async && free(Async[At], Tile, At)) {
      Async[At].Now = Slot::State::Issued;
      Async[At].Tile = Tile;
      Async[At].Fenced = false;
    }
    if (Shape.Registers) {
      if (InRegisters[InSlot])
        fail(msg::schedule_lost_in_registers, *InRegisters[InSlot]);
      InRegisters[InSlot] = Tile;
    }
  }

  void commit() {
    note(TimelineStep::Kind::Commit);
    ++Groups;
    for (Slot &A : Async)
      if (A.Now == Slot::State::Issued) {
        A.Now = Slot::State::Flying;
        A.Group = Groups;
      }
  }

  void store(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Store, Tile, At);
    if (InRegisters[InSlot] != Tile)
      return fail(msg::schedule_not_in_registers, Tile);
    if (!free(Stored[At], Tile, At))
      return;
    InRegisters[InSlot].reset();
    Stored[At].Now = Slot::State::Arrived;
    Stored[At].Tile = Tile;
    Stored[At].Fenced = false;
  }

  void wait(unsigned Pending) {
    note(TimelineStep::Kind::Wait, 0, 0, Pending);
    for (Slot &A : Async)
      if (A.Now == Slot::State::Flying && A.Group + Pending <= Groups)
        A.Now = Slot::State::Arrived;
  }

  void barrier() {
    note(TimelineStep::Kind::Barrier);
    for (std::vector<Slot> *Slots : {&Async, &Stored})
      for (Slot &X : *Slots)
        if (X.Now == Slot::State::Arrived)
          X.Now = Slot::State::Visible;
    // What all threads have waited for is read no more.
    Read.assign(Shape.Buffers, false);
    for (unsigned At : Matrix)
      Read[At] = true;
  }

  void check(const Slot &X, unsigned Tile, unsigned At) {
    if (X.Tile != Tile)
      fail(msg::schedule_wrong_stage, Tile, At);
    else if (X.InFlight())
      fail(X.Now == Slot::State::Issued ? msg::schedule_not_committed
                                        : msg::schedule_not_waited_for,
           Tile);
    else if (X.Now != Slot::State::Visible)
      fail(msg::schedule_no_barrier, Tile);
    else if (Shape.Proxies && !X.Fenced)
      fail(msg::schedule_other_proxy, Tile);
  }

  void compute(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Compute, Tile, At);
    if (Tile != Computed)
      return fail(msg::schedule_out_of_turn, Tile, Computed);
    if (Shape.Async)
      check(Async[At], Tile, At);
    if (Shape.Registers)
      check(Stored[At], Tile, At);
    Read[At] = true;
    if (Shape.InFlight || Shape.Drains)
      Matrix.push_back(At);
    ++Computed;
  }

  void atTheEnd() {
    if (Computed != Trips)
      fail(msg::schedule_tiles_computed, Computed);
    for (const std::optional<unsigned> &Tile : InRegisters)
      if (Tile)
        fail(msg::schedule_left_in_registers, *Tile);
    for (const Slot &A : Async)
      if (A.InFlight())
        fail(msg::schedule_left_in_flight, *A.Tile);
    if (!Matrix.empty())
      fail(msg::schedule_left_in_flight, Computed - 1);
    if (Shape.StageAfter && Trips && Stage != (Trips - 1) % Shape.Buffers)
      fail(msg::schedule_stage_after);
    for (bool R : Read)
      if (R && Shape.BarrierAfter)
        fail(msg::schedule_barrier_after);
  }
};

} // namespace

Message validateSchedule(const Schedule &S, const ScheduleShape &Shape) {
  if (Shape.Bulk)
    return S.Producer.empty() ? validateRing(S, Shape)
                              : validateSpecialized(S, Shape);
  for (unsigned Trips = Shape.MayBeEmpty ? 0 : 1;
       Trips <= 2 * (Shape.ahead() + 1) + 1; ++Trips)
    if (Message Wrong = Run(S, Shape, Trips).run())
      return Wrong;
  return {};
}

Timeline traceSchedule(const Schedule &S, const ScheduleShape &Shape,
                       unsigned Tiles) {
  if (Shape.Bulk)
    return S.Producer.empty() ? traceRing(S, Shape, Tiles)
                              : traceSpecialized(S, Shape, Tiles);
  Run R(S, Shape, Tiles);
  R.run();
  return {Shape.Buffers, Tiles, Shape.Async, Shape.Registers,
          std::move(R.Trace)};
}

} // namespace kpipe
