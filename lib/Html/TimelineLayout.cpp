// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes through the steps with a clock, see TimelineLayout.h.
#include "TimelineLayout.h"
#include <algorithm>
#include <optional>

namespace kpipe::html {

namespace {

/// Widths of the steps.
constexpr double Issue = 12, Arrival = 8, Exposed = 44, StoreTime = 26,
                 BarrierTime = 12, ComputeTime = 62;
/// No phase is drawn narrower, so that its name fits.
constexpr double LeastPhase = 66;

using Kind = TimelineStep::Kind;
using What = TimelineBar::What;

class Clock {
public:
  explicit Clock(const Timeline &Run)
      : Run(Run), FirstBuffer(Run.Registers ? 1 : 0), Filled(Run.Buffers) {
    if (Run.Registers)
      L.Rows.push_back("registers");
    for (unsigned B = 0; B < Run.Buffers; ++B)
      L.Rows.push_back("buffer " + std::to_string(B));
    L.Rows.push_back("compute");
  }

  TimelineLayout run() {
    std::optional<TimelineStep::Phase> In;
    for (const TimelineStep &Step : Run.Steps) {
      if (In != Step.In) {
        endPhase(In);
        In = Step.In;
        L.Phases[size_t(*In)].Begin = Now;
      }
      one(Step);
    }
    endPhase(In);
    L.Length = Now;
    return std::move(L);
  }

private:
  /// A tile on its way.
  struct Flight {
    unsigned Tile = 0, Buffer = 0;
    double Begin = 0;
    unsigned Group = 0;  ///< 0: not closed yet
    bool Hidden = false; ///< there was a compute meanwhile
  };

  const Timeline &Run;
  const unsigned FirstBuffer; ///< row
  TimelineLayout L;
  double Now = 0;
  unsigned Groups = 0;
  std::vector<Flight> Flying;
  std::optional<Flight> InRegisters;
  /// Since when each buffer holds its tile.
  std::vector<std::optional<double>> Filled;

  void bar(What Is, unsigned Row, unsigned Tile, double Begin) {
    if (Now > Begin)
      L.Bars.push_back({Is, Row, Tile, Begin, Now});
  }

  void endPhase(std::optional<TimelineStep::Phase> In) {
    if (!In)
      return;
    TimelineLayout::Span &Phase = L.Phases[size_t(*In)];
    Now = std::max(Now, Phase.Begin + LeastPhase);
    Phase.End = Now;
  }

  void one(const TimelineStep &Step) {
    switch (Step.Do) {
    case Kind::Load:
      load(Step);
      break;
    case Kind::Commit:
      ++Groups;
      for (Flight &F : Flying)
        if (!F.Group)
          F.Group = Groups;
      break;
    case Kind::Store:
      store(Step);
      break;
    case Kind::Wait:
      wait(Step.Pending);
      break;
    case Kind::Barrier:
      L.Barriers.push_back(Now + BarrierTime / 2);
      Now += BarrierTime;
      break;
    case Kind::Compute:
      compute(Step);
      break;
    }
  }

  void load(const TimelineStep &Step) {
    if (Run.Async)
      Flying.push_back({Step.Tile, Step.Buffer, Now});
    if (Run.Registers)
      InRegisters = Flight{Step.Tile, 0, Now};
    Now += Issue;
  }

  void store(const TimelineStep &Step) {
    if (InRegisters) {
      if (!InRegisters->Hidden)
        Now += Exposed;
      bar(What::ToRegisters, 0, InRegisters->Tile, InRegisters->Begin);
      InRegisters.reset();
    }
    double Begin = Now;
    Now += StoreTime;
    bar(What::Stored, FirstBuffer + Step.Buffer, Step.Tile, Begin);
    Filled[Step.Buffer] = Now;
  }

  void wait(unsigned Pending) {
    auto Arrives = [&](const Flight &F) {
      return F.Group && F.Group + Pending <= Groups;
    };
    bool IsExposed =
        std::any_of(Flying.begin(), Flying.end(),
                    [&](const Flight &F) { return Arrives(F) && !F.Hidden; });
    Now += IsExposed ? Exposed : Arrival;
    for (const Flight &F : Flying)
      if (Arrives(F)) {
        bar(What::InFlight, FirstBuffer + F.Buffer, F.Tile, F.Begin);
        Filled[F.Buffer] = Now;
      }
    Flying.erase(std::remove_if(Flying.begin(), Flying.end(), Arrives),
                 Flying.end());
  }

  void compute(const TimelineStep &Step) {
    unsigned Row = FirstBuffer + Step.Buffer;
    if (std::optional<double> Since = Filled[Step.Buffer])
      bar(What::Ready, Row, Step.Tile, *Since);
    double Begin = Now;
    Now += ComputeTime;
    bar(What::Read, Row, Step.Tile, Begin);
    bar(What::Compute, L.Rows.size() - 1, Step.Tile, Begin);
    Filled[Step.Buffer].reset();
    for (Flight &F : Flying)
      F.Hidden = true;
    if (InRegisters)
      InRegisters->Hidden = true;
  }
};

} // namespace

TimelineLayout layOut(const Timeline &Run) { return Clock(Run).run(); }

} // namespace kpipe::html
