// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions as clauses, see Remarks.h.
#include "Remarks.h"
#include "Budgets.h"

namespace kpipe {

void sayBlock(const PlanRequest &R, PipelinePlan &Plan) {
  const KernelShape &Kernel = R.Kernel;
  if (Kernel.Threads)
    say(Plan, {msg::threads_from, *Kernel.Threads, Kernel.ThreadsFrom});
  else if (Kernel.ThreadsFrom)
    say(Plan, {msg::threads_unknown_since, Kernel.ThreadsFrom});
  else
    say(Plan, {msg::threads_unknown});
  if (Plan.Before.Fits && Plan.Before.Fits->Limit == Limiter::Registers)
    say(Plan, {msg::registers_estimated, *Plan.Before.Registers});
  if (!Kernel.DynamicByBlock.empty())
    say(Plan, {msg::dynamic_by_block, Kernel.DynamicByBlock.front().Threads,
               Kernel.DynamicByBlock.back().Threads});
  else if (!Kernel.DynamicShared)
    say(Plan, {msg::dynamic_unknown});
}

Message howToGrow(const PlanRequest &R, unsigned Stages) {
  return {msg::how_to_grow, stagesText(Stages), R.Kernel.Name, Stages};
}

void sayGrown(const PlanRequest &R, PipelinePlan &Plan) {
  const Message Stages = stagesText(Plan.Buffers);
  if (R.Kernel.Regrown.Elsewhere)
    say(Plan, howToGrow(R, Plan.Buffers), true);
  else
    say(Plan,
        {Plan.After.OptsIn ? msg::launches_ask_and_opt_in : msg::launches_ask,
         Stages});
  if (!Plan.After.DynamicBytes && R.Kernel.DynamicByBlock.empty())
    say(Plan, {msg::grown_not_checked, Stages}, true);
}

void sayContents(const TileLoop &Loop, PipelinePlan &Plan) {
  for (const StagedBuffer &B : Loop.Buffers)
    if (B.KeepsContents)
      say(Plan, {msg::contents_are_copied, B.Var->getName()});
}

void sayMatrix(const TileLoop &Loop, PipelinePlan &Plan) {
  if (!Loop.Matrix)
    return;
  const Message Stages = stagesText(Plan.Buffers);
  const Message &Why = Loop.Matrix->NotInFlight;
  say(Plan, Loop.matrixInFlight(Plan.Buffers)
                ? Message(msg::bulk_stages_in_flight, Stages)
            : Why ? Message(msg::bulk_stages_drained, Stages, Why)
                  : Message(msg::matrix_few_stages, Stages,
                            MatrixTile::StagesInFlight));
  if (!Loop.Matrix->Fenced)
    say(Plan, {msg::matrix_was_unfenced}, true);
}

} // namespace kpipe
