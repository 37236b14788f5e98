// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plan for all bodies of one text on all architectures: plans each, then
// again under what any of them needs, until they agree. Decides nothing else.

#include "Planner.h"
#include "kpipe/Refusal.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <tuple>

namespace kpipe {

/// Adds what Plan needs on Arch to what is agreed.
static void narrow(Agreement &Agreed, const PipelinePlan &Plan,
                   const ArchLimits &Arch) {
  if (Plan.Buffers < Agreed.MostBuffers) {
    Agreed.MostBuffers = Plan.Buffers;
    Agreed.Buffers = {&Arch, Plan.WhyFewerBuffers};
  }
  if (Plan.TilesInRegisters < Agreed.MostInRegisters) {
    Agreed.MostInRegisters = Plan.TilesInRegisters;
    Agreed.InRegisters = {&Arch, Plan.WhyFewerInRegisters};
  }
  Agreed.Dynamic |= Plan.dynamic();
  Agreed.Peeled |= Plan.Schedule == ScheduleKind::Peeled;
  Agreed.Grows |= Plan.After.Grows;
  Agreed.OptsIn |= Plan.After.Grows && Plan.After.OptsIn;
  for (unsigned I = 0; I != Plan.Copies.size(); ++I)
    if (Plan.Copies[I].Way == Route::Registers &&
        !llvm::is_contained(Agreed.Registers, I)) {
      Agreed.Registers.push_back(I);
      Agreed.ByRegisters.push_back({&Arch, Plan.Copies[I].Reason});
    }
}

/// What is taken away from plans; it only becomes more.
static auto choices(const Agreement &A) {
  return std::make_tuple(A.MostBuffers, A.MostInRegisters, A.Registers.size(),
                         A.NotPadded.size());
}
static auto wants(const Agreement &A) {
  return std::make_tuple(A.Dynamic, A.OptsIn, A.Grows, A.Peeled);
}

static std::tuple<unsigned, uint64_t> room(const PipelinePlan &Plan) {
  const Budget &B = Plan.After;
  if (!B.Fits)
    return {UINT32_MAX, UINT64_MAX - B.shared()};
  return {B.Fits->BlocksPerSM, B.Fits->DistanceToCliff};
}

namespace {

class Agreeing {
public:
  Agreeing(llvm::ArrayRef<PlannedBody> Bodies,
           llvm::ArrayRef<const ArchLimits *> Archs,
           const TransformOptions &Options)
      : Bodies(Bodies), Archs(Archs), Options(Options) {
    Agreed.Generations = llvm::any_of(Archs, [&](const ArchLimits *Arch) {
      return Arch->Major != Archs.front()->Major;
    });
  }

  llvm::Error run() {
    // Every round but the last takes a choice away, or finds what else the rest
    // wants, so the rounds are bounded by the number of copies and of stages.
    for (bool Again = true; Again;) {
      Agreement Needed = Agreed;
      if (llvm::Error Refused = planAll(Needed))
        return Refused;
      if (Alone.empty())
        Alone = Plans;
      Again = keepRows(Needed);
      Again |= isMissedBy(Needed);
      if (Again && choices(Needed) != choices(Agreed))
        // What only a plan wanted that is made no more, nobody may need.
        Needed.Dynamic = Needed.OptsIn = Needed.Grows = Needed.Peeled = false;
      else
        // The same again comes to the same; plans that stay different have
        // different texts, and those are refused.
        Again &= wants(Needed) != wants(Agreed);
      Agreed = std::move(Needed);
    }
    return llvm::Error::success();
  }

  AgreedPlans shown(unsigned Arch) {
    AgreedPlans Out;
    Out.Plans.assign(Plans.begin() + Arch * Bodies.size(),
                     Plans.begin() + (Arch + 1) * Bodies.size());
    for (unsigned I = 1; I != Out.Plans.size(); ++I)
      if (room(Out.Plans[I]) < room(Out.Plans[Out.Tightest]))
        Out.Tightest = I;
    PipelinePlan &Shown = Out.Plans[Out.Tightest];
    sayRows(Shown, *Archs[Arch]);
    if (Bodies.size() > 1)
      say(Shown, {msg::tightest_instantiation, Bodies.size(),
                  Bodies[Out.Tightest].Kernel->Name});
    decide(Out.Decisions);
    if (Archs.size() > 1)
      sayDecisions(Shown, Out.Decisions);
    return Out;
  }

private:
  const llvm::ArrayRef<PlannedBody> Bodies;
  const llvm::ArrayRef<const ArchLimits *> Archs;
  const TransformOptions &Options;
  Agreement Agreed;
  /// Of each architecture in turn all bodies: as agreed, and as planned by
  /// themselves.
  std::vector<PipelinePlan> Plans, Alone;

  const ArchLimits &archOf(size_t Plan) const {
    return *Archs[Plan / Bodies.size()];
  }

  llvm::Error planAll(Agreement &Needed) {
    Plans.clear();
    for (const ArchLimits *Arch : Archs)
      for (const PlannedBody &B : Bodies) {
        auto Plan = planBody(*B.Loop, *B.Kernel, *Arch, Options, Agreed);
        if (!Plan && Bodies.size() * Archs.size() == 1)
          return Plan.takeError();
        if (!Plan) {
          Refusal R = takeRefusal(Plan.takeError());
          if (Bodies.size() > 1)
            R.Why = {msg::in_instantiation, R.Why, B.Kernel->Name};
          if (Archs.size() > 1)
            R.Why = {msg::on_arch, R.Why, Arch->Name};
          return llvm::make_error<Refusal>(std::move(R));
        }
        narrow(Needed, *Plan, *Arch);
        Plans.push_back(std::move(*Plan));
      }
    return llvm::Error::success();
  }

  /// Rows of one text have one length: keeps those that two plans want to pad
  /// differently as they are. Tells if there were any.
  bool keepRows(Agreement &Needed) const {
    bool Any = false;
    const PipelinePlan &A = Plans.front();
    for (size_t P = 1; P < Plans.size(); ++P)
      // Bodies that stage other arrays are refused later.
      for (unsigned I = 0;
           I < A.Pads.size() && I < Plans[P].Pads.size(); ++I) {
        if (A.Pads[I] == Plans[P].Pads[I] ||
            llvm::is_contained(Needed.NotPadded, I))
          continue;
        Needed.NotPadded.push_back(I);
        // Who pads less has no room for more.
        if (!Needed.Rows.Arch)
          Needed.Rows.Arch = Plans[P].Pads[I] < A.Pads[I] ? &archOf(P)
                                                          : &archOf(0);
        Any = true;
      }
    return Any;
  }

  /// Is a plan not yet what all need?
  bool isMissedBy(const Agreement &Needed) const {
    return llvm::any_of(Plans, [&](const PipelinePlan &P) {
      return P.Buffers != Needed.MostBuffers || P.dynamic() != Needed.Dynamic ||
             P.TilesInRegisters != Needed.MostInRegisters ||
             (!Options.Form.Schedule && Needed.Peeled &&
              P.Schedule != ScheduleKind::Peeled) ||
             (P.After.Grows && P.After.OptsIn != Needed.OptsIn) ||
             (P.BytesInBlock && Needed.Grows) ||
             llvm::any_of(Needed.Registers, [&](unsigned I) {
               return I < P.Copies.size() &&
                      P.Copies[I].Way != Route::Registers;
             });
    });
  }

  void sayRows(PipelinePlan &Shown, const ArchLimits &Arch) const {
    const TileLoop &Loop = *Bodies.front().Loop;
    for (unsigned I : Agreed.NotPadded)
      if (I < Loop.Buffers.size() &&
          llvm::none_of(Shown.Conflicts,
                        [&](const BankConflict &C) { return C.Buffer == I; }))
        say(Shown,
            {msg::rows_not_padded, Loop.Buffers[I].Var->getName(),
             Agreed.Rows.clauseFor(Arch, msg::instantiation_needs_other_rows)},
            Options.Form.Pad.has_value());
  }

  /// Would a plan for another architecture than Than have had it otherwise?
  bool
  elseWanted(const ArchLimits *Than,
             llvm::function_ref<bool(const PipelinePlan &)> Otherwise) const {
    for (size_t P = 0; P != Alone.size(); ++P)
      if (&archOf(P) != Than && Otherwise(Alone[P]))
        return true;
    return false;
  }

  void decide(std::vector<ArchDecision> &Decisions) const {
    if (elseWanted(Agreed.Buffers.Arch, [&](const PipelinePlan &P) {
          return P.Buffers > Agreed.MostBuffers;
        }))
      Decisions.push_back({ArchDecision::Stages, 0, Agreed.Buffers.Arch,
                           Agreed.Buffers.Why});
    if (elseWanted(Agreed.InRegisters.Arch, [&](const PipelinePlan &P) {
          return P.TilesInRegisters > Agreed.MostInRegisters;
        }))
      Decisions.push_back({ArchDecision::TilesInRegisters, 0,
                           Agreed.InRegisters.Arch, Agreed.InRegisters.Why});
    for (auto [Copy, By] : llvm::zip_equal(Agreed.Registers,
                                           Agreed.ByRegisters))
      if (elseWanted(By.Arch, [Copy = Copy](const PipelinePlan &P) {
            return Copy < P.Copies.size() &&
                   P.Copies[Copy].Way == Route::AsyncCopy;
          }))
        Decisions.push_back({ArchDecision::CopyRoute, Copy, By.Arch, By.Why});
  }

  void sayDecisions(PipelinePlan &Shown,
                    llvm::ArrayRef<ArchDecision> Decisions) const {
    std::vector<llvm::StringRef> Names;
    for (const ArchLimits *Arch : Archs)
      Names.push_back(Arch->Name);
    say(Shown, {msg::one_form_for_archs, llvm::join(Names, ", ")});
    for (const ArchDecision &D : Decisions)
      say(Shown, describe(D), /*StepDown=*/true);
  }

  Message describe(const ArchDecision &D) const {
    if (D.What == ArchDecision::TilesInRegisters)
      return {msg::arch_decides_tiles_since, D.Arch->Name, D.Why};
    if (D.What == ArchDecision::Stages)
      return D.Why ? Message(msg::arch_decides_stages_since, D.Arch->Name,
                             D.Why)
                   : Message(msg::arch_decides_stages, D.Arch->Name);
    const TileLoop &Loop = *Bodies.front().Loop;
    const TileCopy &Copy = Loop.Copies[D.Copy];
    return {msg::arch_decides_route, D.Arch->Name,
            Loop.Buffers[Copy.Buffer].Var->getName(), D.Why};
  }
};

} // namespace

llvm::Expected<AgreedPlans>
planBodies(llvm::ArrayRef<PlannedBody> Bodies,
           llvm::ArrayRef<const ArchLimits *> Archs, unsigned Shown,
           const TransformOptions &Options) {
  Agreeing All(Bodies, Archs, Options);
  if (llvm::Error Refused = All.run())
    return std::move(Refused);
  return All.shown(Shown);
}

} // namespace kpipe
