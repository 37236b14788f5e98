// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic execution of a schedule, see validateSchedule in Schedule.h. What is
// run is one thread of many: what it writes, others see after a barrier, and
// what it reads, others may still read until a barrier. Groups of asynchronous
// copies count per thread, as in PTX.

#include "Schedule.h"
#include "llvm/ADT/Twine.h"
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

  std::string run() {
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
  TimelineStep::Phase Now = TimelineStep::Phase::Prologue;
  std::string Failure;

  void note(TimelineStep::Kind Do, unsigned Tile = 0, unsigned At = 0,
            unsigned Pending = 0) {
    Trace.push_back({Now, Do, Tile, At, Pending});
  }

  void fail(const llvm::Twine &What) {
    if (Failure.empty())
      Failure = (What + " (of " + llvm::Twine(Trips) + " tiles)").str();
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
    case ScheduleStep::Kind::Touch:
      return fail("a step of a part of the loop");
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
      fail("tile " + llvm::Twine(Tile) + " is written to stage " +
           llvm::Twine(At) + " while tile " + llvm::Twine(*Old.Tile) +
           " is in flight to it");
    else if (Read[At])
      fail("tile " + llvm::Twine(Tile) + " overwrites stage " +
           llvm::Twine(At) + " without a barrier since it was read");
    else if (Old.Tile && *Old.Tile >= Computed)
      fail("tile " + llvm::Twine(Tile) + " overwrites tile " +
           llvm::Twine(*Old.Tile) + ", which was not computed");
    return Failure.empty();
  }

  void load(unsigned Tile, unsigned At) {
    // What is bound for registers has a stage only when it is stored.
    note(TimelineStep::Kind::Load, Tile,
         Shape.InRegisters > 1 ? Tile % Shape.Buffers : At);
    if (Tile >= Trips)
      return fail("tile " + llvm::Twine(Tile) +
                  " is loaded, which does not exist");
    if (Shape.Async && free(Async[At], Tile, At)) {
      Async[At].Now = Slot::State::Issued;
      Async[At].Tile = Tile;
    }
    if (Shape.Registers) {
      if (InRegisters[InSlot])
        fail("tile " + llvm::Twine(*InRegisters[InSlot]) +
             " is lost in registers, never stored");
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
      return fail("tile " + llvm::Twine(Tile) +
                  " is stored, but is not in registers");
    if (!free(Stored[At], Tile, At))
      return;
    InRegisters[InSlot].reset();
    Stored[At].Now = Slot::State::Arrived;
    Stored[At].Tile = Tile;
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
    Read.assign(Shape.Buffers, false);
  }

  void check(const Slot &X, unsigned Tile, unsigned At) {
    if (X.Tile != Tile)
      fail("tile " + llvm::Twine(Tile) + " is computed from stage " +
           llvm::Twine(At) + ", which does not hold it");
    else if (X.InFlight())
      fail("tile " + llvm::Twine(Tile) + " is computed before its copies " +
           (X.Now == Slot::State::Issued ? "are committed" : "are waited for"));
    else if (X.Now != Slot::State::Visible)
      fail("tile " + llvm::Twine(Tile) +
           " is computed without a barrier since it arrived");
  }

  void compute(unsigned Tile, unsigned At) {
    note(TimelineStep::Kind::Compute, Tile, At);
    if (Tile != Computed)
      return fail("tile " + llvm::Twine(Tile) + " is computed, but it is tile " +
                  llvm::Twine(Computed) + "'s turn");
    if (Shape.Async)
      check(Async[At], Tile, At);
    if (Shape.Registers)
      check(Stored[At], Tile, At);
    Read[At] = true;
    ++Computed;
  }

  void atTheEnd() {
    if (Computed != Trips)
      fail(llvm::Twine(Computed) + " tiles are computed");
    for (const std::optional<unsigned> &Tile : InRegisters)
      if (Tile)
        fail("tile " + llvm::Twine(*Tile) + " is left in registers");
    for (const Slot &A : Async)
      if (A.InFlight())
        fail("tile " + llvm::Twine(*A.Tile) + " is in flight at the end");
    if (Shape.StageAfter && Trips && Stage != (Trips - 1) % Shape.Buffers)
      fail("the stage after the loop is not that of the last tile");
    for (bool R : Read)
      if (R && Shape.BarrierAfter)
        fail("a stage is read without a barrier before what follows the loop");
  }
};

} // namespace

std::string validateSchedule(const Schedule &S, const ScheduleShape &Shape) {
  for (unsigned Trips = Shape.MayBeEmpty ? 0 : 1;
       Trips <= 2 * (Shape.ahead() + 1) + 1; ++Trips)
    if (std::string Wrong = Run(S, Shape, Trips).run(); !Wrong.empty())
      return Wrong;
  return {};
}

Timeline traceSchedule(const Schedule &S, const ScheduleShape &Shape,
                       unsigned Tiles) {
  Run R(S, Shape, Tiles);
  R.run();
  return {Shape.Buffers, Tiles, Shape.Async, Shape.Registers,
          std::move(R.Trace)};
}

} // namespace kpipe
