// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages of bulk tiles, see BulkPlan.h. There are no routes to choose and no
// single buffer to fall back to.
#include "BulkPlan.h"
#include "Model.h"
#include "Remarks.h"
#include "SharedMemoryPlan.h"
#include "kpipe/Refusal.h"
#include "kpipe/Words.h"
#include "clang/AST/Decl.h"

namespace kpipe {

namespace {

class BulkPlanner {
public:
  /// \param Kernel that of R; with a producer's warp it becomes larger.
  BulkPlanner(const PlanRequest &R, KernelShape &Kernel, PipelinePlan Start)
      : R(R), Kernel(Kernel), Bulk(*R.Loop.Bulk), Plan(std::move(Start)) {}

  llvm::Expected<PipelinePlan> run() {
    if (R.Arch.Major < 9)
      return no({msg::bulk_needs_arch, R.Arch.Name});
    if (R.Options.Form.Stages == 1u)
      return no({msg::bulk_no_ring, Message(msg::one_stage_asked)});
    if (stagesBlock(R.Loop)) {
      Message Why = R.Options.DynamicShared ? R.Kernel.Regrown.Not
                                            : Message(msg::dynamic_shared_never);
      if (Why)
        return no({msg::bulk_no_ring, Message(msg::tiles_in_dynamic, Why)},
                  R.Kernel.Regrown.Cure);
    }
    if (othersWork())
      return no({msg::bulk_no_ring,
                 Message(msg::bulk_blocks_hide, Plan.Before.Fits->BlocksPerSM)},
                {msg::bulk_ask_for_stages});
    Plan.StageAlignment = R.Loop.stageAlignment();
    Plan.Schedule = ScheduleKind::Guarded;
    if (wantsProducer(R.Options.Form))
      if (llvm::Error No = addProducer())
        return std::move(No);
    Plan.Pads.assign(R.Loop.Buffers.size(), 0);
    if (llvm::Error Over = chooseStages())
      return std::move(Over);
    sayForm();
    return std::move(Plan);
  }

private:
  const PlanRequest &R;
  KernelShape &Kernel;
  const BulkTile &Bulk;
  PipelinePlan Plan;

  static llvm::Error no(Message Why, Message Cure = {}) {
    return llvm::make_error<Refusal>(RuleId::Budget, std::move(Why),
                                     std::move(Cure));
  }

  llvm::Error addProducer() {
    const bool Group = R.Options.Form.Producer == ProducerKind::Group;
    ProducerWarp Producer = Group ? Kernel.ProducerGroup : Kernel.Producer;
    if (Message Not = whyNoProducer(Producer))
      return llvm::make_error<Refusal>(
          RuleId::AsyncShape,
          Message(Group ? msg::producer_group_refused : msg::producer_refused,
                  Not),
          Producer.Cure ? Producer.Cure
                        : Message(withoutProducer(R.Options.Form)));
    Plan.Schedule = ScheduleKind::Specialized;
    Plan.Producer = Producer;
    const unsigned Threads = Producer.Authors + Producer.Threads;
    if (Group) // ptxas gives each thread all that the bounds allow
      Kernel.InputRegisters = launchedWith(Producer);
    Kernel.Threads = Kernel.CertainThreads = Kernel.MaxThreads = Threads;
    Kernel.Block = Kernel.OnlyBlock = Kernel.MostThreads = {Threads, 1, 1};
    Kernel.Shared.push_back({nullptr, 0, 8});
    return llvm::Error::success();
  }

  /// \param Producer is told how it shares its registers, if it does.
  Message whyNoProducer(ProducerWarp &Producer) const {
    const LoopForm &Asked = R.Options.Form;
    if (Asked.Schedule && Asked.Schedule != ScheduleKind::Specialized)
      return {msg::producer_other_schedule_asked, wordFor(*Asked.Schedule)};
    if (Producer.Not)
      return Producer.Not;
    if (Asked.MinBlocks)
      return msg::producer_min_blocks;
    return Producer.isGroup() ? shareRegisters(Producer) : Message();
  }

  unsigned askedBlocks() const {
    return std::max(1u, R.Kernel.MinBlocks.value_or(1));
  }

  /// Registers that a thread of a kernel with setmaxnreg is launched with: all
  /// that the kernel's bounds allow, as they are given to warps. 0: none.
  unsigned launchedWith(const ProducerWarp &Producer) const {
    auto Most =
        maxRegistersForBlocks(R.Arch, Producer.MaxThreads, askedBlocks());
    return !Most                                     ? 0
           : *Most == ArchLimits::RegistersPerThread ? model::MostMovedRegisters
                                                     : *Most / 8 * 8;
  }

  Message shareRegisters(ProducerWarp &Producer) const {
    // Code for sm_90 has no setmaxnreg, that for sm_90a has.
    for (const std::string &Name : R.Options.Archs)
      if (Name == R.Arch.Name)
        return {msg::producer_no_setmaxnreg, Name};
    if (Producer.MaxThreads < Producer.Authors + Producer.Threads)
      return {msg::producer_bounds_exceeded, Producer.Authors};
    const unsigned Each = launchedWith(Producer);
    if (!Each)
      return {msg::producer_no_registers, askedBlocks(), Producer.MaxThreads,
              R.Arch.Name};
    if (Each == model::MostMovedRegisters)
      return {msg::producer_all_registers, Producer.MaxThreads};
    if (Message Drops = losesBlocks(Producer, Each)) {
      Producer.Cure = msg::producer_ask_for_blocks;
      return Drops;
    }
    Producer.Keeps = model::LeastMovedRegisters;
    const unsigned Left = Each * (Producer.Authors + Producer.Threads) -
                          Producer.Keeps * Producer.Threads;
    Producer.Takes =
        std::min(Left / Producer.Authors / 8 * 8, model::MostMovedRegisters);
    return {};
  }

  /// Where the kernel's bounds say nothing of blocks, ptxas takes for one block
  /// what several had.
  Message losesBlocks(const ProducerWarp &Producer, unsigned Each) const {
    LaunchShape Grown;
    Grown.ThreadsPerBlock = Producer.Authors + Producer.Threads;
    Grown.Registers = std::min(Each, ArchLimits::RegistersPerThread);
    const unsigned Is = occupancy(R.Arch, Grown).BlocksPerSM;
    if (R.Options.Form.AllowOccupancyDrop || !Plan.Before.FitsAtMost ||
        Plan.Before.FitsAtMost->BlocksPerSM <= Is)
      return {};
    const unsigned Was = Plan.Before.Fits ? Plan.Before.Fits->BlocksPerSM : 0;
    return {msg::producer_loses_blocks, askedBlocks(), Each, Is,
            Was > Is ? Was : Plan.Before.FitsAtMost->BlocksPerSM};
  }

  /// Do other blocks fill the time that a block waits? Whoever asks for a form
  /// gets it.
  bool othersWork() const {
    const LoopForm &Asked = R.Options.Form;
    return R.Loop.Matrix && !Asked.Stages && !Asked.Schedule &&
           !Asked.Producer && !Asked.AllowOccupancyDrop && Plan.Before.Fits &&
           Plan.Before.Fits->BlocksPerSM >= model::BulkBlocksThatHide;
  }

  bool inFlight() const { return R.Loop.matrixInFlight(2); }

  llvm::Error chooseStages() {
    const bool Stream = !Bulk.TensorCopies && !R.Loop.Matrix;
    const unsigned Asked =
        R.Options.Form.Stages.value_or(inFlight() ? model::BulkStagesInFlight
                                       : Stream   ? model::BulkStagesOfRows
                                                  : model::BulkStages);
    SharedMemoryPlan Shared(R, Plan);
    OverBudget Last;
    for (Plan.Buffers = Asked; Plan.Buffers > 1; --Plan.Buffers) {
      if (Plan.Producer) // an mbarrier for each stage that is free
        Kernel.Shared.back().Bytes = 8 * Plan.Buffers;
      OverBudget Over = Shared.count();
      if (!Over && Plan.Buffers > R.Agreed.MostBuffers)
        Over.Reason = {msg::instantiation_needs_it};
      else if (!Over) {
        if (Last)
          say(Plan,
              {msg::fewer_stages, stagesText(Plan.Buffers), Asked, Last.Reason},
              R.Options.Form.Stages.has_value());
        return llvm::Error::success();
      }
      Last = std::move(Over);
    }
    return no({msg::bulk_no_ring, Last.Reason}, Last.Cure);
  }

  void sayForm() {
    const Message Stages = stagesText(Plan.Buffers);
    say(Plan, inFlight()
                  ? Message(msg::bulk_stages_in_flight, Stages)
              : R.Loop.Matrix && R.Loop.Matrix->NotInFlight
                  ? Message(msg::bulk_stages_drained, Stages,
                            R.Loop.Matrix->NotInFlight)
                  : Message(msg::bulk_stages_plain, Stages));
    if (Plan.Producer && Plan.Producer->isGroup())
      say(Plan, {msg::producer_group_says, Plan.Producer->Authors,
                 launchedWith(*Plan.Producer), Plan.Producer->Keeps,
                 Plan.Producer->Takes});
    else if (Plan.Producer)
      say(Plan, {msg::producer_stage_says, Plan.Producer->Authors});
    if (Plan.dynamic())
      say(Plan, {msg::in_dynamic_shared, stagesNeed(Plan.Buffers),
                 ArchLimits::StaticSharedPerBlock});
    if (Plan.After.Grows)
      sayGrown(R, Plan);
    if (Bulk.Unclosed)
      say(Plan, {msg::bulk_was_unclosed}, true);
    sayRoom();
  }

  void sayRoom() {
    Message Blocks = describeRoom(Plan.Before, Plan.After);
    if (Blocks.empty())
      return;
    const bool Drop =
        Plan.After.Fits->BlocksPerSM < Plan.Before.Fits->BlocksPerSM;
    if (Drop && R.Options.Form.AllowOccupancyDrop)
      Blocks = {msg::permitted_by_allow_drop, Blocks};
    say(Plan, {msg::shared_and_blocks, stagesNeed(Plan.Buffers),
               Plan.After.shared(), Blocks},
        Drop);
  }
};

} // namespace

llvm::Expected<PipelinePlan> planBulk(const PlanRequest &Request,
                                      PipelinePlan Plan) {
  KernelShape Kernel = Request.Kernel;
  const PlanRequest Own{Request.Loop, Kernel, Request.Arch, Request.Options,
                        Request.Agreed};
  auto Made = BulkPlanner(Own, Kernel, std::move(Plan)).run();
  // What it refers to outlives this.
  if (Made && !Made->Grown.empty())
    Made->Grown = Request.Kernel.Regrown.Counts;
  if (Made && Made->dynamic())
    Made->Launches = Request.Kernel.Launches;
  return Made;
}

} // namespace kpipe
