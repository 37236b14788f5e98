// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plan for all bodies of one text: plans each, then again under what any of
// them needs, until they agree. Decides nothing else.

#include "Planner.h"
#include "kpipe/Refusal.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

namespace kpipe {

/// Adds what Plan needs to what is agreed.
static void narrow(Agreement &Agreed, const PipelinePlan &Plan) {
  Agreed.MostBuffers = std::min(Agreed.MostBuffers, Plan.Buffers);
  Agreed.MostInRegisters =
      std::min(Agreed.MostInRegisters, Plan.TilesInRegisters);
  Agreed.Dynamic |= Plan.dynamic();
  Agreed.Peeled |= Plan.Schedule == ScheduleKind::Peeled;
  Agreed.Grows |= Plan.After.Grows;
  Agreed.OptsIn |= Plan.After.Grows && Plan.After.OptsIn;
  for (unsigned I = 0; I != Plan.Copies.size(); ++I)
    if (Plan.Copies[I].Way == Route::Registers &&
        !llvm::is_contained(Agreed.Registers, I))
      Agreed.Registers.push_back(I);
}

/// Rows of one text have one length: keeps those that two bodies want to pad
/// differently as they are. Tells if there were any.
static bool keepRows(Agreement &Agreed, const PipelinePlan &A,
                     const PipelinePlan &B) {
  bool Any = false;
  // Bodies that stage other arrays are refused later.
  for (unsigned I = 0; I < A.Pads.size() && I < B.Pads.size(); ++I)
    if (A.Pads[I] != B.Pads[I] && !llvm::is_contained(Agreed.NotPadded, I)) {
      Agreed.NotPadded.push_back(I);
      Any = true;
    }
  return Any;
}

static std::tuple<unsigned, uint64_t> room(const PipelinePlan &Plan) {
  const Budget &B = Plan.After;
  if (!B.Fits)
    return {UINT32_MAX, UINT64_MAX - B.shared()};
  return {B.Fits->BlocksPerSM, B.Fits->DistanceToCliff};
}

llvm::Expected<AgreedPlans> planBodies(llvm::ArrayRef<PlannedBody> Bodies,
                                       const ArchLimits &Arch,
                                       const TransformOptions &Options) {
  AgreedPlans Out;
  Agreement Agreed;
  // Every round but the last takes a choice away, so the rounds are bounded by
  // the number of copies and of stages.
  for (bool Again = true; Again;) {
    Again = false;
    Out.Plans.clear();
    Agreement Needed = Agreed;
    for (const PlannedBody &B : Bodies) {
      auto Plan = planBody(*B.Loop, *B.Kernel, Arch, Options, Agreed);
      if (!Plan && Bodies.size() == 1)
        return Plan.takeError();
      if (!Plan) {
        Refusal R = takeRefusal(Plan.takeError());
        R.Why = {msg::in_instantiation, R.Why, B.Kernel->Name};
        return llvm::make_error<Refusal>(std::move(R));
      }
      narrow(Needed, *Plan);
      Out.Plans.push_back(std::move(*Plan));
    }
    for (const PipelinePlan &P : Out.Plans)
      Again |= keepRows(Needed, P, Out.Plans.front());
    for (const PipelinePlan &P : Out.Plans)
      Again |=
          P.Buffers != Needed.MostBuffers || P.dynamic() != Needed.Dynamic ||
          P.TilesInRegisters != Needed.MostInRegisters ||
          (!Options.Form.Schedule && Needed.Peeled &&
           P.Schedule != ScheduleKind::Peeled) ||
          (P.After.Grows && P.After.OptsIn != Needed.OptsIn) ||
          (P.BytesInBlock && Needed.Grows) ||
          llvm::any_of(Needed.Registers, [&](unsigned I) {
            return I < P.Copies.size() && P.Copies[I].Way != Route::Registers;
          });
    Agreed = std::move(Needed);
  }
  for (unsigned I = 1; I != Out.Plans.size(); ++I)
    if (room(Out.Plans[I]) < room(Out.Plans[Out.Tightest]))
      Out.Tightest = I;
  PipelinePlan &Shown = Out.Plans[Out.Tightest];
  for (unsigned I : Agreed.NotPadded)
    if (I < Bodies.front().Loop->Buffers.size() &&
        llvm::none_of(Shown.Conflicts,
                      [&](const BankConflict &C) { return C.Buffer == I; }))
      Shown.Reasons.push_back(
          {{msg::rows_not_padded,
            Bodies.front().Loop->Buffers[I].Var->getName(),
            Message(msg::instantiation_needs_other_rows)},
           Options.Form.Pad.has_value()});
  if (Bodies.size() > 1)
    Shown.Reasons.push_back(
        {{msg::tightest_instantiation, Bodies.size(),
          Bodies[Out.Tightest].Kernel->Name},
         false});
  return Out;
}

} // namespace kpipe
