// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the form of a pipeline for one body: ring or single buffer, stages
// and schedule, within the registers of one architecture. Knows no text; the
// way of each copy is Routes' knowledge, shared memory is Room's.

#include "Planner.h"
#include "InRegisters.h"
#include "Model.h"
#include "Registers.h"
#include "Routes.h"
#include "SharedMemoryPlan.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

namespace kpipe {

namespace {

class Planner {
public:
  explicit Planner(const PlanRequest &R)
      : Request(R), Loop(R.Loop), Kernel(R.Kernel), Arch(R.Arch),
        Options(R.Options), Agreed(R.Agreed) {}

  PlanResult run() {
    Plan.Before = budgetFor(Loop, Kernel, Arch, 1);
    sayBlock();
    SaidBefore = Plan.Reasons.size();
    if (wantRing()) {
      if (planRing())
        return done();
      if (!Failure.Reason.empty())
        return std::move(Failure);
    }
    if (planSingleBuffer())
      return done();
    return std::move(Failure);
  }

private:
  const PlanRequest &Request;
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  const Agreement &Agreed;
  PipelinePlan Plan;
  PlanResult Failure;
  /// Reasons that hold for every form.
  size_t SaidBefore = 0;
  SharedMemoryPlan Shared{Request, Plan};
  /// Why there is no ring, the rule that says so, and what would help.
  Message NoRing, NoRingCure;
  RuleId NoRingRule = RuleId::AsyncShape;

  PlanResult done() {
    sayRoom();
    PlanResult R;
    R.Plan = std::move(Plan);
    return R;
  }

  bool fail(RuleId Rule, Message Reason, Message Cure) {
    Failure.Rule = Rule;
    Failure.Reason = std::move(Reason);
    Failure.Cure = std::move(Cure);
    return false;
  }

  void say(const llvm::Twine &Text, bool StepDown = false) {
    kpipe::say(Plan, Text, StepDown);
  }

  void sayBlock() {
    if (Kernel.Threads)
      say(llvm::Twine(*Kernel.Threads) + " threads a block, from " +
          Kernel.ThreadsFrom.str());
    else
      say("threads per block unknown" +
          (Kernel.ThreadsFrom.empty() ? std::string()
                                      : " (" + Kernel.ThreadsFrom.str() + ")") +
          ", so blocks per SM were not checked; give --block=X[,Y[,Z]] or "
          "__launch_bounds__");
    if (Plan.Before.Fits && Plan.Before.Fits->Limit == Limiter::Registers)
      say("at least " + llvm::Twine(*Plan.Before.Registers) +
          " registers a thread, estimated from the kernel's variables");
    if (!Kernel.DynamicShared)
      say("bytes of dynamic shared memory unknown, so blocks per SM were not "
          "checked; launch the kernel with a constant in the same file");
  }

  void sayRoom() {
    std::string Blocks = describeRoom(Plan.Before, Plan.After);
    if (Blocks.empty() || (Plan.Buffers == 1 && !Shared.padded()))
      return;
    bool Drop = Plan.After.Fits->BlocksPerSM < Plan.Before.Fits->BlocksPerSM;
    const char *Permits = Options.Form.AllowOccupancyDrop
                              ? ", which --allow-occupancy-drop permits"
                              : ", which --pad=always permits";
    std::string Buffers =
        Plan.TilesInRegisters > 1 ? "the buffers" : stagesText(Plan.Buffers);
    say(Buffers + (Plan.Buffers == 1 ? " takes " : " take ") +
            llvm::Twine(Plan.After.shared()) + " bytes; " + Blocks +
            (Drop ? Permits : ""),
        Drop);
  }

  bool asked(Variant V) const { return Options.Form.Variant == V; }

  bool noRing(Message Why, RuleId Rule, Message Cure, bool StepDown) {
    NoRing = std::move(Why);
    NoRingRule = Rule;
    NoRingCure = std::move(Cure);
    // What was decided for a ring does not hold any more.
    Plan.Reasons.resize(SaidBefore);
    say("single buffer, because " + NoRing.str(), StepDown);
    return false;
  }

  /// A ring of stages, as far as neither the user nor the loop speaks against.
  bool wantRing() {
    if (Options.Form.Stages == 1u)
      return noRing("one stage was asked for", RuleId::AsyncShape,
                    "ask for two stages", false);
    for (const StagedBuffer &B : Loop.Buffers)
      if (!B.NoRing.empty())
        return noRing(B.NoRing, RuleId::AsyncShape, "", true);
    if (stagesBlock(Loop))
      return mayGrow();
    return true;
  }

  /// Can the launches be made to ask for the bytes of all stages?
  bool mayGrow() {
    std::string Why = Kernel.Regrown.Not;
    std::string Cure = Kernel.Regrown.Cure;
    if (!Options.DynamicShared)
      Why = "--dynamic-shared=never forbids to change its launches", Cure = "";
    if (Why.empty())
      return true;
    noRing("its tiles are in dynamic shared memory, of which every launch has "
           "to ask for more, and " +
               Why,
           RuleId::Budget,
           Cure.empty()
               ? Cure
               : howToGrow(buffersAsked()) + ": " + Cure,
           true);
    if (!Cure.empty())
      say(NoRingCure.str(), true);
    return false;
  }

  /// What has to become of launches that are not seen.
  std::string howToGrow(unsigned Stages) const {
    std::string Count =
        "kpipe::staged_bytes<" + std::to_string(Stages) + ">(bytes)";
    const std::string &Name = Kernel.Name;
    return "for " + stagesText(Stages) + ", launches of '" + Name +
           "' have to ask for " + Count +
           " instead of bytes of dynamic shared memory, and where that is more "
           "than 48 KB for kpipe::opt_in_shared(" +
           Name + ", " + Count + ")";
  }

  /// Copies that go through registers can be split into fetch and store, and
  /// fit the registers that the kernel can spare.
  bool registersWork() {
    auto ByRegisters = llvm::find_if(Plan.Copies, [](const CopyPlan &C) {
      return C.Way == Route::Registers;
    });
    Plan.StagedRegisters = 0;
    if (ByRegisters == Plan.Copies.end())
      return true;
    if (!Loop.NotSplittable.empty())
      return fail(RuleId::RegisterShape,
                  "a tile cannot wait in registers, because " +
                      Loop.NotSplittable.str() + whyRegisters(*ByRegisters),
                  asked(Variant::Ldg) && Arch.hasAsyncCopy()
                      ? "leave the choice to --variant=auto"
                      : "");
    Plan.StagedRegisters = registersNeeded(Request, Plan.Copies);
    if (Plan.StagedRegisters > spareRegisters(Kernel, Arch))
      return fail(RuleId::Budget,
                  tooManyRegisters(Request, Plan.StagedRegisters) +
                      whyRegisters(*ByRegisters),
                  "use a smaller tile, or more threads for it");
    return true;
  }

  /// What forced a tile through registers, to be added to why that fails.
  std::string whyRegisters(const CopyPlan &C) const {
    const std::string &Why = NoRing.empty() ? C.Reason : NoRing;
    return Why.empty() ? "" : " (registers, because " + Why + ")";
  }

  //===--------------------------------------------------------------------===//
  // Forms
  //===--------------------------------------------------------------------===//

  /// False with Failure if the loop is refused, without if a single buffer is
  /// to be tried.
  bool planRing() {
    for (unsigned I = 0; I != Loop.Copies.size(); ++I)
      Plan.Copies.push_back(chooseRoute(Request, I));
    if (asked(Variant::CpAsync) && !Plan.hasRoute(Route::AsyncCopy))
      return fail(RuleId::AsyncShape,
                  "cp.async was asked for, but " + firstObstacle(Request),
                  "leave the choice to --variant=auto");
    if (std::string Why = relieveRegisters(Request, Plan.Copies); !Why.empty())
      say("cp.async although copies are small, because " + Why);
    if (!registersWork())
      return false;
    if (asked(Variant::CpAsync))
      for (const std::string &Fallback : fallbacks(Request, Plan.Copies))
        say(Fallback, true);
    if (!chooseStages())
      return false;
    Plan.Unroll = Options.Form.Unroll;
    Plan.Schedule =
        Options.Form.Schedule ? *Options.Form.Schedule : scheduleByDefault();
    if (!Plan.hasRoute(Route::AsyncCopy) && stagesAsked() > 2)
      holdTiles();
    Shared.pad();
    return true;
  }

  /// More stages than two mean more tiles in registers.
  void holdTiles() {
    const unsigned Most = stagesAsked() - 1;
    auto [Tiles, Why] = tilesInRegisters(Request, Plan, Most);
    Plan.TilesInRegisters = Tiles;
    Plan.StagedRegisters *= Tiles;
    if (!Why.empty())
      say(llvm::Twine(Tiles) +
              (Tiles == 1 ? " tile on its" : " tiles on their") +
              " way in registers, not " + llvm::Twine(Most) + ": " + Why.str(),
          true);
    if (Tiles == 1)
      return;
    say((Plan.Buffers == 1 ? "one buffer" : "two buffers") +
        llvm::Twine(" in shared memory, and ") + llvm::Twine(Tiles) +
        " tiles on their way in registers");
    if (Options.Form.Schedule == ScheduleKind::Peeled)
      say("guarded, because the tiles in registers take turns", true);
    Plan.Schedule = ScheduleKind::Guarded;
    // The tiles' turns are unrolled already.
    if (Plan.Unroll == Unrolling::Stages)
      Plan.Unroll = std::nullopt;
  }

  unsigned stagesAsked() const {
    return Options.Form.Stages.value_or(stagesByDefault());
  }

  /// Registers hold what is on its way: two buffers are enough then.
  unsigned buffersAsked() const {
    bool Registers = Plan.Copies.empty()
                         ? asked(Variant::Ldg) || !Arch.hasAsyncCopy()
                         : !Plan.hasRoute(Route::AsyncCopy);
    return Registers ? std::min(stagesAsked(), 2u) : stagesAsked();
  }

  uint64_t tileBytes() const {
    uint64_t Bytes = 0;
    for (const StagedBuffer &B : Loop.Buffers)
      Bytes += B.Block ? Kernel.DynamicShared.value_or(0) : B.Bytes;
    return Bytes;
  }

  unsigned stagesByDefault() const {
    bool Deep = feedsTensorCores() &&
                (tileBytes() >= model::DeepTileBytes ||
                 (Kernel.Ratio && *Kernel.Ratio <= model::DeepRatio));
    return Deep ? model::DeepStages : 2;
  }

  bool feedsTensorCores() const {
    return Loop.TensorCores && !Plan.hasRoute(Route::Registers);
  }

  /// The compute region has a loop that nvcc leaves one.
  bool staysRolled() const {
    return !Loop.TensorCores && !Loop.Unrollable.empty() && Kernel.Ratio &&
           Kernel.Threads &&
           *Kernel.Ratio * tileBytes() / *Kernel.Threads >=
               model::RolledOperations;
  }

  ScheduleKind scheduleByDefault() {
    bool SmallTile =
        feedsTensorCores() && tileBytes() < model::GuardedTileBytes;
    if (Agreed.Peeled || !(SmallTile || staysRolled()))
      return ScheduleKind::Peeled;
    say(SmallTile ? "guarded, which tensor cores prefer for tiles of " +
                        llvm::Twine(tileBytes()) + " bytes"
                  : "guarded, so that the loops of the compute region, which "
                    "no pragma unrolls, stand there once");
    return ScheduleKind::Guarded;
  }

  /// As many stages as were asked for, or as the budget and the other
  /// instantiations leave.
  bool chooseStages() {
    const unsigned Asked = buffersAsked();
    if (!Options.Form.Stages && Asked > 2)
      say("tensor cores wait for tiles of " + llvm::Twine(tileBytes()) +
          " bytes, so one more is on its way");
    const std::string Instead = ", not " + std::to_string(Asked) + ": ";
    std::string Why, Cure;
    for (Plan.Buffers = Asked; Plan.Buffers > 1; --Plan.Buffers) {
      OverBudget Over = Shared.count();
      if (!Over && Plan.Buffers > Agreed.MostBuffers) {
        Why = "another instantiation of the template needs it";
        continue;
      }
      if (!Over) {
        if (!Why.empty())
          say(stagesText(Plan.Buffers) + Instead + Why,
              Options.Form.Stages.has_value());
        if (Plan.dynamic())
          say("in dynamic shared memory, because " + stagesText(Plan.Buffers) +
              " take more than " +
              llvm::Twine(ArchLimits::StaticSharedPerBlock) +
              " bytes; the launches opt in to it");
        if (Plan.After.Grows)
          sayGrown();
        return true;
      }
      Why = std::move(Over.Reason);
      Cure = std::move(Over.Cure);
    }
    if (Cure.empty())
      return noRing(Why, RuleId::AsyncShape, "", true);
    if (asked(Variant::CpAsync))
      return fail(RuleId::Budget, Why,
                  Cure + ", or leave the choice to --variant=auto");
    return noRing(Why, RuleId::Budget, Cure, true);
  }

  void sayGrown() {
    if (Kernel.Regrown.Elsewhere)
      say(howToGrow(Plan.Buffers), true);
    else
      say(llvm::Twine("the launches ask for the dynamic shared memory of ") +
          stagesText(Plan.Buffers) +
          (Plan.After.OptsIn ? ", and opt in to it" : ""));
    if (!Plan.After.DynamicBytes)
      say("bytes of dynamic shared memory unknown, so it was not checked that "
          "a block may have those of " +
              stagesText(Plan.Buffers),
          true);
  }

  /// One buffer as before; the next tile waits in registers while the current
  /// one is read.
  bool planSingleBuffer() {
    if (asked(Variant::CpAsync))
      return fail(NoRingRule,
                  "cp.async was asked for and needs a second buffer, but " +
                      NoRing.str(),
                  NoRingCure.empty() ? "leave the choice to --variant=auto"
                                     : NoRingCure);
    Plan.Buffers = 1;
    if (Options.Form.Schedule)
      Plan.Schedule = *Options.Form.Schedule;
    // There is no number of a stage to become a constant.
    if (Options.Form.Unroll != Unrolling::Stages)
      Plan.Unroll = Options.Form.Unroll;
    Plan.Copies.assign(Loop.Copies.size(),
                       {Route::Registers, "a single buffer is filled from "
                                          "registers only"});
    if (!registersWork()) {
      // The step that was taken before this one names the rule.
      if (NoRingRule == RuleId::Budget) {
        Failure.Reason =
            NoRing.str() + "; with a single buffer, " + firstPart(Failure.Reason.str());
        Failure.Rule = RuleId::Budget;
        Failure.Cure = NoRingCure;
      }
      return false;
    }
    Plan.After = Plan.Before;
    Plan.Launches = {};
    Plan.Grown = {};
    if (stagesAsked() > 2)
      holdTiles();
    Shared.pad();
    return true;
  }

  static std::string firstPart(llvm::StringRef Reason) {
    return Reason.split(" (registers, because ").first.str();
  }
};

} // namespace

PlanResult planBody(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options,
                    const Agreement &Agreed) {
  return Planner({Loop, Kernel, Arch, Options, Agreed}).run();
}

PlanResult planLoop(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options) {
  return planBody(Loop, Kernel, Arch, Options, {});
}

} // namespace kpipe
