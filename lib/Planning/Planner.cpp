// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the form of a pipeline: the route of each copy, ring or single
// buffer, within the budget of one architecture. Knows no text.

#include "kpipe/Plan.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

namespace {

/// Registers that a thread may spend on tiles in flight. More than this, next
/// to accumulators, spills on every architecture (255 are all there are).
constexpr unsigned MostStagedRegisters = 96;

unsigned registersOf(const TileCopy &C) {
  uint64_t Trips = 1;
  for (const CopyLoop &L : C.Loops)
    Trips *= std::max<uint64_t>(L.Trips, 1);
  uint64_t Bytes = std::max(4u, C.Bytes);
  return static_cast<unsigned>(std::min<uint64_t>(Trips * ((Bytes + 3) / 4),
                                                  1u << 20));
}

class Planner {
public:
  Planner(const TileLoop &Loop, const KernelShape &Kernel,
          const ArchLimits &Arch, const TransformOptions &Options)
      : Loop(Loop), Kernel(Kernel), Arch(Arch), Options(Options) {}

  PlanResult run() {
    Plan.Before = budget(Kernel.SharedBytes);
    if (ringPossible() && tryRing())
      return done();
    if (!Failure.Rule.empty())
      return Failure;
    if (trySingleBuffer())
      return done();
    return Failure;
  }

private:
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  PipelinePlan Plan;
  PlanResult Failure;

  PlanResult done() {
    PlanResult R;
    R.Plan = std::move(Plan);
    return R;
  }

  bool fail(std::string Rule, std::string Reason, std::string Cure) {
    Failure.Rule = std::move(Rule);
    Failure.Reason = std::move(Reason);
    Failure.Cure = std::move(Cure);
    return false;
  }

  Budget budget(uint64_t Shared) const {
    Budget B;
    B.SharedBytes = Shared;
    if (Kernel.Threads) {
      LaunchShape L;
      L.ThreadsPerBlock = *Kernel.Threads;
      L.StaticShared = Shared;
      B.Fits = occupancy(Arch, L);
    }
    return B;
  }

  std::string arch() const { return Arch.Name; }

  bool ringPossible() {
    if (Options.Stages == 1u) {
      Plan.Reasons.push_back("one stage was asked for");
      return false;
    }
    for (const StagedBuffer &B : Loop.Buffers)
      if (!B.NoRing.empty()) {
        Plan.Reasons.push_back("single buffer, because " + B.NoRing);
        return false;
      }
    return true;
  }

  /// 16-byte copies go asynchronously, the rest through registers: 4-byte
  /// copies lose to registers (docs/measurements.md).
  CopyPlan route(const TileCopy &C) {
    CopyPlan P;
    bool CanSplit = Loop.NotSplittable.empty() && !helperBound(C);
    if (!Arch.hasAsyncCopy()) {
      P.Reason = arch() + " has no cp.async";
    } else if (!C.NotAsync.empty()) {
      P.Reason = C.NotAsync;
    } else if (Options.Copy == Variant::Ldg) {
      P.Reason = "registers were asked for";
    } else if (Options.Copy == Variant::CpAsync) {
      P.Way = Route::AsyncCopy;
      P.Reason = "cp.async was asked for";
    } else if (C.Bytes == 16) {
      P.Way = Route::AsyncCopy;
      P.Reason = "a pure copy of 16 bytes";
    } else if (!CanSplit) {
      P.Way = Route::AsyncCopy;
      P.Reason = Loop.NotSplittable.empty() ? "a helper fills it"
                                            : Loop.NotSplittable;
    } else {
      P.Reason = "a copy of " + std::to_string(C.Bytes) +
                 " bytes is faster through registers";
    }
    return P;
  }

  bool helperBound(const TileCopy &) const { return false; }

  bool splitOk(bool All) {
    bool Needed = All || llvm::any_of(Plan.Copies, [](const CopyPlan &C) {
                    return C.Way == Route::Registers;
                  });
    if (!Needed)
      return true;
    if (!Loop.NotSplittable.empty())
      return fail("async-shape",
                  "the tile cannot go through registers, because " +
                      Loop.NotSplittable +
                      (All ? std::string()
                           : ", and not asynchronously, because " +
                                 firstRegisterReason()),
                  "");
    Plan.StagedRegisters = 0;
    for (unsigned I = 0; I != Loop.Copies.size(); ++I)
      if (Plan.Copies[I].Way == Route::Registers)
        Plan.StagedRegisters += registersOf(Loop.Copies[I]);
    if (Plan.StagedRegisters > MostStagedRegisters)
      return fail("budget",
                  "the tile takes " + std::to_string(Plan.StagedRegisters) +
                      " registers a thread on its way, more than " +
                      std::to_string(MostStagedRegisters),
                  "use a smaller tile or more threads a block");
    return true;
  }

  std::string firstRegisterReason() const {
    for (const CopyPlan &C : Plan.Copies)
      if (C.Way == Route::Registers)
        return C.Reason;
    return {};
  }

  /// 4- and 8-byte copies that could go either way go asynchronously when
  /// registers are short.
  bool tryRing() {
    Plan.Copies.clear();
    for (const TileCopy &C : Loop.Copies)
      Plan.Copies.push_back(route(C));
    if (!splitOk(false)) {
      bool Any = false;
      for (unsigned I = 0; I != Loop.Copies.size(); ++I)
        if (Plan.Copies[I].Way == Route::Registers &&
            Options.Copy != Variant::Ldg && Arch.hasAsyncCopy() &&
            Loop.Copies[I].NotAsync.empty()) {
          Plan.Copies[I] = {Route::AsyncCopy, Failure.Reason};
          Any = true;
        }
      PlanResult First = Failure;
      Failure = PlanResult();
      if (!Any || !splitOk(false)) {
        if (Failure.Rule.empty())
          Failure = First;
        return false;
      }
    }
    uint64_t Extra = 0;
    for (const StagedBuffer &B : Loop.Buffers)
      Extra += B.Bytes;
    Plan.Stages = 2;
    Plan.After = budget(Kernel.SharedBytes + Extra);
    if (Options.Stages && *Options.Stages > 2)
      Plan.Reasons.push_back("two stages instead of " +
                             std::to_string(*Options.Stages) +
                             ": more are not emitted yet");
    if (std::string Why = overBudget(); !Why.empty()) {
      Plan.Reasons.push_back("single buffer, because " + Why);
      if (Plan.hasRoute(Route::AsyncCopy) && Options.Copy == Variant::CpAsync)
        return fail("budget", Why, "use a smaller tile, or --variant=auto");
      return false;
    }
    if (Kernel.Threads && Plan.Before.Fits && Plan.After.Fits)
      Plan.Reasons.push_back("blocks per SM stay at " +
                             std::to_string(Plan.After.Fits->BlocksPerSM));
    return true;
  }

  std::string overBudget() const {
    uint64_t Bytes = Plan.After.SharedBytes;
    if (Bytes > ArchLimits::StaticSharedPerBlock)
      return "two stages take " + std::to_string(Bytes) +
             " bytes of static shared memory, more than 48 KB";
    if (!Plan.Before.Fits || !Plan.After.Fits)
      return {};
    unsigned Was = Plan.Before.Fits->BlocksPerSM;
    unsigned Is = Plan.After.Fits->BlocksPerSM;
    if (Is >= Was || Options.AllowOccupancyDrop)
      return {};
    return "two stages (" + std::to_string(Bytes) +
           " bytes) would lower the blocks per SM from " +
           std::to_string(Was) + " to " + std::to_string(Is) + " on " + arch();
  }

  bool trySingleBuffer() {
    if (Options.Copy == Variant::CpAsync)
      return fail("async-shape",
                  Plan.Reasons.empty() ? "cp.async needs two buffers"
                                       : "cp.async needs two buffers: " +
                                             Plan.Reasons.back(),
                  "leave the choice to --variant=auto");
    Plan.Stages = 1;
    Plan.Copies.clear();
    for (unsigned I = 0; I != Loop.Copies.size(); ++I)
      Plan.Copies.push_back({Route::Registers, "a single buffer is filled from "
                                               "registers only"});
    std::string Why = Plan.Reasons.empty() ? "" : Plan.Reasons.back();
    if (!splitOk(true)) {
      if (!Why.empty())
        Failure.Reason += " (" + Why + ")";
      return false;
    }
    Plan.After = budget(Kernel.SharedBytes);
    return true;
  }
};

} // namespace

PlanResult planLoop(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options) {
  return Planner(Loop, Kernel, Arch, Options).run();
}

} // namespace kpipe
