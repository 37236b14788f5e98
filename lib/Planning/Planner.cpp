// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the form of a pipeline for one body: ring or single buffer, stages
// and schedule, within the registers of one architecture. Knows no text; the
// way of each copy is Routes' knowledge, shared memory SharedMemoryPlan's.

#include "Planner.h"
#include "BulkPlan.h"
#include "InRegisters.h"
#include "Model.h"
#include "Registers.h"
#include "Remarks.h"
#include "Routes.h"
#include "SharedMemoryPlan.h"
#include "kpipe/Refusal.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace kpipe {

namespace {

class Planner {
public:
  explicit Planner(const PlanRequest &R)
      : Request(R), Loop(R.Loop), Kernel(R.Kernel), Arch(R.Arch),
        Options(R.Options), Agreed(R.Agreed) {}

  llvm::Expected<PipelinePlan> run() {
    Plan.Before = budgetFor(Loop, Kernel, Arch, 1);
    sayBlock(Request, Plan);
    SaidBefore = Plan.Reasons.size();
    if (Loop.Bulk)
      return planBulk(Request, std::move(Plan));
    if (wantsProducer(Options.Form))
      return llvm::make_error<Refusal>(
          RuleId::AsyncShape,
          Message(msg::producer_refused, Message(msg::producer_plain_tile)),
          Message(withoutProducer(Options.Form)));
    if (Loop.Matrix && Arch.Major != 9)
      return llvm::make_error<Refusal>(
          RuleId::AsyncShape, Message(msg::matrix_needs_arch, Arch.Name),
          Message());
    Plan.StageAlignment = Loop.stageAlignment();
    if (wantRing()) {
      if (planRing())
        return done();
      if (Failure)
        return llvm::make_error<Refusal>(std::move(*Failure));
    }
    if (planSingleBuffer())
      return done();
    return llvm::make_error<Refusal>(std::move(*Failure));
  }

private:
  const PlanRequest &Request;
  const TileLoop &Loop;
  const KernelShape &Kernel;
  const ArchLimits &Arch;
  const TransformOptions &Options;
  const Agreement &Agreed;
  PipelinePlan Plan;
  std::optional<Refusal> Failure;
  /// Why registers failed, without what forced the tile through them.
  Message PlainFailure;
  /// Reasons that hold for every form.
  size_t SaidBefore = 0;
  SharedMemoryPlan Shared{Request, Plan};
  /// Why there is no ring, the rule that says so, and what would help.
  Message NoRing, NoRingCure;
  RuleId NoRingRule = RuleId::AsyncShape;

  PipelinePlan done() {
    sayMatrix(Loop, Plan);
    sayRoom();
    Plan.StaysRolled = staysRolled();
    return std::move(Plan);
  }

  bool fail(RuleId Rule, Message Reason, Message Cure) {
    Failure.emplace(Rule, std::move(Reason), std::move(Cure));
    return false;
  }

  void say(Message Why, bool StepDown = false) {
    kpipe::say(Plan, std::move(Why), StepDown);
  }

  void sayRoom() {
    Message Blocks = describeRoom(Plan.Before, Plan.After);
    const auto &Was = Plan.Before.FitsAtMost, &Is = Plan.After.FitsAtMost;
    // Where registers are not known they may be why no more blocks fit.
    const bool Drop = Was && Is && Is->BlocksPerSM < Was->BlocksPerSM;
    if (Blocks.empty() && Drop)
      Blocks = {msg::blocks_change, Was->BlocksPerSM, Is->BlocksPerSM};
    if (Blocks.empty() || (Plan.Buffers == 1 && !Shared.padded()))
      return;
    if (Drop)
      Blocks = {Options.Form.AllowOccupancyDrop ? msg::permitted_by_allow_drop
                                           : msg::permitted_by_pad_always,
                Blocks};
    const Message Need = Plan.TilesInRegisters > 1
                             ? Message(msg::buffers_need)
                             : stagesNeed(Plan.Buffers);
    say({msg::shared_and_blocks, Need, Plan.After.shared(), Blocks}, Drop);
  }

  bool asked(Variant V) const { return Options.Form.Variant == V; }

  bool noRing(Message Why, RuleId Rule, Message Cure, bool StepDown) {
    NoRing = std::move(Why);
    NoRingRule = Rule;
    NoRingCure = std::move(Cure);
    Plan.WhyFewerBuffers = NoRing;
    // What was decided for a ring does not hold any more.
    Plan.Reasons.resize(SaidBefore);
    const bool Drop = NoRing.is(msg::lowers_blocks);
    say({msg::single_buffer_because,
         Drop ? Message(msg::unless_allow_drop, NoRing) : NoRing},
        StepDown);
    return false;
  }

  /// A ring of stages, as far as neither the user nor the loop speaks against.
  bool wantRing() {
    if (Options.Form.Stages == 1u)
      return noRing({msg::one_stage_asked}, RuleId::AsyncShape,
                    {msg::ask_for_two_stages}, false);
    for (const StagedBuffer &B : Loop.Buffers)
      if (!B.NoRing.empty())
        return noRing(B.NoRing, RuleId::AsyncShape, {}, true);
    if (stagesBlock(Loop))
      return mayGrow();
    return true;
  }

  /// Can the launches be made to ask for the bytes of all stages?
  bool mayGrow() {
    Message Why = Kernel.Regrown.Not;
    Message Cure = Kernel.Regrown.Cure;
    if (!Options.DynamicShared) {
      Why = {msg::dynamic_shared_never};
      Cure = {};
    }
    if (!Why)
      return true;
    if (Cure)
      Cure = {msg::grow_launches_and, howToGrow(Request, buffersAsked()), Cure};
    noRing({msg::tiles_in_dynamic, Why}, RuleId::Budget, Cure, true);
    if (Cure)
      say(Cure, true);
    return false;
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
                  becauseOfRegisters(
                      {msg::cannot_wait_in_registers, Loop.NotSplittable},
                      *ByRegisters),
                  cureOfShape());
    Plan.StagedRegisters = registersNeeded(Request, Plan.Copies);
    if (Plan.StagedRegisters > spareRegisters(Kernel, Arch))
      return fail(RuleId::Budget,
                  becauseOfRegisters(
                      tooManyRegisters(Request, Plan.StagedRegisters),
                      *ByRegisters),
                  {msg::smaller_tile_or_more_threads});
    return true;
  }

  Message cureOfShape() const {
    if (asked(Variant::Ldg) && Arch.hasAsyncCopy())
      return msg::leave_to_auto;
    if (Loop.NotSplittable.is(msg::copy_count_of_variable))
      return msg::count_to_constant;
    if (Loop.NotSplittable.is(msg::stored_in_other_statement))
      return msg::write_counted_loop;
    return {};
  }

  /// Adds to why registers fail what forced the tile through them, and keeps
  /// the plain reason for a refusal that names another cause.
  Message becauseOfRegisters(Message Fails, const CopyPlan &C) {
    PlainFailure = Fails;
    const Message &Why = NoRing ? NoRing : C.Reason;
    return Why ? Message(msg::registers_because, Fails, Why) : Fails;
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
                  {msg::async_asked_but, firstObstacle(Request)},
                  {msg::leave_to_auto});
    if (Message Why = relieveRegisters(Request, Plan.Copies))
      say({msg::async_although_small, Why});
    if (!registersWork())
      return false;
    if (asked(Variant::CpAsync))
      for (const Message &Fallback : fallbacks(Request, Plan.Copies))
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
    Plan.WhyFewerInRegisters = Why;
    Plan.StagedRegisters *= Tiles;
    if (Why)
      say({Tiles == 1 ? msg::one_tile_in_registers_not
                      : msg::tiles_in_registers_not,
           Tiles, Most, Why},
          true);
    if (Tiles == 1)
      return;
    say({Plan.Buffers == 1 ? msg::one_buffer_and_tiles
                          : msg::two_buffers_and_tiles,
         Tiles});
    if (Options.Form.Schedule == ScheduleKind::Peeled)
      say({msg::guarded_tiles_take_turns}, true);
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
    if (Loop.Matrix)
      return Loop.Matrix->staysInFlight() ? model::MatrixStagesInFlight
                                          : model::MatrixStages;
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
    say(SmallTile ? Message(msg::guarded_for_tensor_cores, tileBytes())
                  : Message(msg::guarded_for_rolled_loops));
    return ScheduleKind::Guarded;
  }

  /// As many stages as were asked for, or as the budget and the other
  /// instantiations leave.
  bool chooseStages() {
    const unsigned Asked = buffersAsked();
    if (!Options.Form.Stages && Asked > 2 && !Loop.Matrix)
      say({msg::deeper_for_tensor_cores, tileBytes()});
    Message Why, Cure;
    for (Plan.Buffers = Asked; Plan.Buffers > 1; --Plan.Buffers) {
      OverBudget Over = Shared.count();
      if (!Over && Plan.Buffers > Agreed.MostBuffers) {
        Why = Agreed.Buffers.clauseFor(Arch, msg::instantiation_needs_it);
        continue;
      }
      if (!Over) {
        if (Why)
          say({msg::fewer_stages, stagesText(Plan.Buffers), Asked, Why},
              Options.Form.Stages.has_value());
        if (Plan.dynamic())
          say({msg::in_dynamic_shared, stagesNeed(Plan.Buffers),
               ArchLimits::StaticSharedPerBlock});
        if (Plan.After.Grows)
          sayGrown(Request, Plan);
        sayContents(Loop, Plan);
        if (Plan.BytesInBlock)
          say({msg::stages_fit_block, stagesText(Plan.Buffers),
               Plan.BytesInBlock});
        return true;
      }
      Plan.WhyFewerBuffers = Why = std::move(Over.Reason);
      Cure = std::move(Over.Cure);
    }
    if (!Cure)
      return noRing(Why, RuleId::AsyncShape, {}, true);
    if (asked(Variant::CpAsync))
      return fail(RuleId::Budget, Why,
                  {msg::or_leave_to_auto, Cure});
    return noRing(Why, RuleId::Budget, Cure, true);
  }

  /// One buffer as before; the next tile waits in registers while the current
  /// one is read.
  bool planSingleBuffer() {
    if (asked(Variant::CpAsync))
      return fail(NoRingRule,
                  {msg::async_needs_second_buffer, NoRing},
                  NoRingCure ? NoRingCure : Message(msg::leave_to_auto));
    Plan.Buffers = 1;
    if (Options.Form.Schedule)
      Plan.Schedule = *Options.Form.Schedule;
    // There is no number of a stage to become a constant.
    if (Options.Form.Unroll != Unrolling::Stages)
      Plan.Unroll = Options.Form.Unroll;
    Plan.Copies.assign(Loop.Copies.size(),
                       {Route::Registers, {msg::single_buffer_route}});
    if (!registersWork()) {
      // The step that was taken before this one names the rule.
      if (NoRingRule == RuleId::Budget) {
        fail(RuleId::Budget, {msg::nor_single_buffer, NoRing, PlainFailure},
             NoRingCure);
      }
      return false;
    }
    Plan.After = Plan.Before;
    Plan.Launches = {};
    Plan.Grown = {};
    Plan.BytesInBlock = 0;
    if (stagesAsked() > 2)
      holdTiles();
    Shared.pad();
    return true;
  }
};

} // namespace

llvm::Expected<PipelinePlan> planBody(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options,
                    const Agreement &Agreed) {
  return Planner({Loop, Kernel, Arch, Options, Agreed}).run();
}

llvm::Expected<PipelinePlan> planLoop(const TileLoop &Loop, const KernelShape &Kernel,
                    const ArchLimits &Arch, const TransformOptions &Options) {
  return planBody(Loop, Kernel, Arch, Options, {});
}

} // namespace kpipe
