// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule of a ring that a producer of its own has the copy engine fill, and
// its symbolic run: producer and readers in every order in which their waits let
// them. They meet at two mbarriers a stage, whose phases are counted; a wait knows
// the parity of one only. Readers are one thread, the slowest: a stage is free
// when it says so, and a faster one is never further ahead than there are stages.
#include "Schedule.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace kpipe {

using Step = ScheduleStep;

Schedule makeSpecializedSchedule(const ScheduleShape &Shape) {
  // Where wgmma stay in flight, the tile before is done with, which is in the
  // last stage when there is none yet: so the last stage is freed before the
  // others are, and once more than they are.
  const unsigned Last = Shape.Buffers - 1, Done = Shape.InFlight ? Last : 0;
  Schedule S;
  S.Guarded = false;
  S.SteadyAhead = 0;
  S.Prologue = {Step::start()};
  S.Producer = {Step::waitEmpty(), Step::proxyFence(), Step::load(0, 0),
                Step::turn(Done)};
  S.Steady = {Step::waitFull(), Step::compute(0, 0)};
  if (Shape.InFlight)
    S.Steady.push_back(Step::matrixWait(1));
  S.Steady.push_back(Step::free(Done));
  S.Steady.push_back(Step::turn());
  if (Shape.InFlight)
    S.Epilogue.push_back(Step::matrixWait(0));
  if (Shape.BarrierAfter)
    S.Epilogue.push_back(Step::barrier());
  return S;
}

namespace {

/// One stage, as all threads together know it.
struct Stage {
  enum class State {
    Empty,   ///< nobody reads it
    Brought, ///< copies to it are on their way, or there
    Full,    ///< the readers have waited for them
    Read,    ///< wgmma read it
    Done     ///< and do so no more
  } Now = State::Empty;
  unsigned Tile = 0;
  unsigned Brought = 0, Freed = 0; ///< phases of its mbarriers that are over
};

/// A step of one side, for one of its turns.
struct TurnStep {
  Step What;
  unsigned Turn = 0;
  TimelineStep::Phase In = TimelineStep::Phase::Prologue;
};
using Program = std::vector<TurnStep>;

/// Where one side stands.
struct Side {
  unsigned Next = 0, At = 0, Parity = 0;
};

struct World {
  std::vector<Stage> Stages;
  Side Producer, Reader;
  std::deque<unsigned> Matrix; ///< stages whose wgmma are in flight
  unsigned Computed = 0;
  bool Fenced = false, Started = false, Met = false;
};

class SpecializedRun {
public:
  SpecializedRun(const Schedule &S, const ScheduleShape &Shape, unsigned Trips)
      : Shape(Shape), Trips(Trips) {
    auto add = [](Program &To, const std::vector<Step> &Steps, unsigned Turn,
                  TimelineStep::Phase In) {
      for (const Step &X : Steps)
        To.push_back({X, Turn, In});
    };
    add(Reads, S.Prologue, 0, TimelineStep::Phase::Prologue);
    for (unsigned T = 0; T != Trips; ++T) {
      add(Brings, S.Producer, T, TimelineStep::Phase::Steady);
      add(Reads, S.Steady, T, TimelineStep::Phase::Steady);
    }
    add(Reads, S.Epilogue, 0, TimelineStep::Phase::Epilogue);
  }

  /// In every order.
  Message runAll() {
    explore(start());
    return Failure;
  }

  /// The producer as early as it can.
  std::vector<TimelineStep> runEagerly() {
    World W = start();
    Traced = true;
    while (!Failure)
      if (mayStep(W, true))
        step(W, true);
      else if (mayStep(W, false))
        step(W, false);
      else
        break;
    return std::move(Trace);
  }

private:
  const ScheduleShape &Shape;
  const unsigned Trips;
  Program Brings, Reads;
  llvm::DenseSet<std::pair<unsigned, unsigned>> Seen;
  std::vector<TimelineStep> Trace;
  bool Traced = false;
  Message Failure;

  World start() const {
    World W;
    W.Stages.resize(Shape.Buffers);
    W.Producer.Parity = 1;
    return W;
  }

  template <typename... Ts> void fail(msg::Id What, const Ts &...Arguments) {
    if (!Failure)
      Failure = {msg::schedule_of_tiles, Message(What, Arguments...), Trips};
  }

  /// What is done depends on how far both are alone, not on the way there.
  void explore(World W) {
    if (Failure || !Seen.insert({W.Producer.Next, W.Reader.Next}).second)
      return;
    bool Any = false;
    for (bool Produces : {true, false}) {
      if (!mayStep(W, Produces))
        continue;
      Any = true;
      World Then = W;
      step(Then, Produces);
      explore(std::move(Then));
    }
    if (!Any)
      atTheEnd(W);
  }

  bool mayStep(const World &W, bool Produces) const {
    const Side &Mine = Produces ? W.Producer : W.Reader;
    const Program &P = Produces ? Brings : Reads;
    if (Mine.Next == P.size() || (Produces && !W.Started))
      return false;
    const Stage &X = W.Stages[Mine.At];
    // A phase of the parity is over if the one that runs has the other.
    if (P[Mine.Next].What.Do == Step::Kind::WaitEmpty)
      return X.Freed % 2 != Mine.Parity;
    if (P[Mine.Next].What.Do == Step::Kind::WaitFull)
      return X.Brought % 2 != Mine.Parity;
    return true;
  }

  void note(const TurnStep &X, TimelineStep::Kind Do, unsigned Tile = 0,
            unsigned At = 0, unsigned Pending = 0) {
    if (Traced)
      Trace.push_back({X.In, Do, Tile, At, Pending});
  }

  void step(World &W, bool Produces) {
    Side &Mine = Produces ? W.Producer : W.Reader;
    const TurnStep &X = (Produces ? Brings : Reads)[Mine.Next++];
    const unsigned At = (Mine.At + X.What.Stage) % Shape.Buffers;
    switch (X.What.Do) {
    case Step::Kind::Start:
      note(X, TimelineStep::Kind::Barrier);
      W.Started = true;
      return;
    case Step::Kind::WaitEmpty:
      W.Fenced = false;
      return;
    case Step::Kind::ProxyFence:
      W.Fenced = true;
      return;
    case Step::Kind::Load:
      return load(W, X, At);
    case Step::Kind::WaitFull:
      return waitFull(W, X, At);
    case Step::Kind::Compute:
      return compute(W, X, At);
    case Step::Kind::MatrixWait:
      while (W.Matrix.size() > X.What.Pending) {
        W.Stages[W.Matrix.front()].Now = Stage::State::Done;
        W.Matrix.pop_front();
      }
      return;
    case Step::Kind::Free:
      return free(W, At);
    case Step::Kind::Barrier:
      note(X, TimelineStep::Kind::Barrier);
      W.Met = true;
      return;
    case Step::Kind::Turn:
      Mine.At = (Mine.At + 1) % Shape.Buffers;
      Mine.Parity ^= Mine.At == X.What.Stage;
      return;
    default:
      return fail(msg::schedule_part);
    }
  }

  void load(World &W, const TurnStep &X, unsigned At) {
    // Before the readers begin it is their prologue.
    TurnStep Early = X;
    if (!W.Computed && W.Reader.Next < 2)
      Early.In = TimelineStep::Phase::Prologue;
    note(Early, TimelineStep::Kind::Load, X.Turn, At);
    Stage &To = W.Stages[At];
    if (To.Now == Stage::State::Brought || To.Now == Stage::State::Full)
      return fail(msg::schedule_written_in_flight, X.Turn, At, To.Tile);
    if (To.Now != Stage::State::Empty)
      return fail(msg::schedule_not_released, X.Turn, At);
    if (!W.Fenced)
      return fail(msg::schedule_no_fence, X.Turn, At);
    To.Now = Stage::State::Brought;
    To.Tile = X.Turn;
    ++To.Brought;
  }

  void waitFull(World &W, const TurnStep &X, unsigned At) {
    note(X, TimelineStep::Kind::Wait, 0, 0, Shape.Buffers - 2);
    Stage &Of = W.Stages[At];
    if (Of.Now != Stage::State::Brought || Of.Tile != X.Turn)
      return fail(msg::schedule_parity, X.Turn);
    Of.Now = Stage::State::Full;
  }

  void compute(World &W, const TurnStep &X, unsigned At) {
    note(X, TimelineStep::Kind::Compute, X.Turn, At);
    Stage &Of = W.Stages[At];
    if (Of.Now != Stage::State::Full)
      return fail(msg::schedule_not_full, X.Turn);
    // What waits for its own wgmma has read all at its end.
    Of.Now = Shape.InFlight ? Stage::State::Read : Stage::State::Done;
    if (Shape.InFlight)
      W.Matrix.push_back(At);
    ++W.Computed;
  }

  void free(World &W, unsigned At) {
    Stage &Of = W.Stages[At];
    if (Of.Now != Stage::State::Done && Of.Now != Stage::State::Empty)
      return fail(msg::schedule_freed_early, At);
    Of.Now = Stage::State::Empty;
    ++Of.Freed;
  }

  void atTheEnd(const World &W) {
    if (W.Reader.Next != Reads.size() || W.Producer.Next != Brings.size())
      return fail(msg::schedule_stuck, W.Computed);
    if (W.Computed != Trips)
      return fail(msg::schedule_tiles_computed, W.Computed);
    for (const Stage &X : W.Stages)
      if (X.Now == Stage::State::Brought || X.Now == Stage::State::Full)
        return fail(msg::schedule_left_in_flight, X.Tile);
    if (!W.Matrix.empty())
      return fail(msg::schedule_left_in_flight,
                  W.Stages[W.Matrix.front()].Tile);
    if (Shape.BarrierAfter && !W.Met)
      fail(msg::schedule_barrier_after);
  }
};

} // namespace

Message validateSpecialized(const Schedule &S, const ScheduleShape &Shape) {
  for (unsigned Trips = 0; Trips <= 2 * Shape.Buffers + 2; ++Trips)
    if (Message Wrong = SpecializedRun(S, Shape, Trips).runAll())
      return Wrong;
  return {};
}

Timeline traceSpecialized(const Schedule &S, const ScheduleShape &Shape,
                          unsigned Tiles) {
  return {Shape.Buffers, Tiles, true, false,
          SpecializedRun(S, Shape, Tiles).runEagerly()};
}

} // namespace kpipe
