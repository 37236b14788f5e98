// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a group's loops: notes under the remark, and the report. See
// Groups.h.
#include "Groups.h"
#include "kpipe/Words.h"
#include "options/FormOptions.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <utility>

namespace kpipe {

static Message describe(const MeasuredKernel &K) {
  if (!K.Figures.BlocksBefore)
    return {msg::registers_measured_alone, K.Before.Registers,
            K.After.Registers};
  return {msg::registers_measured, K.Before.Registers,     K.After.Registers,
          *K.Figures.BlocksBefore, *K.Figures.BlocksAfter, *K.Threads};
}

/// How much less the first is, in percent of the second.
static unsigned percentLess(std::optional<double> Less,
                            std::optional<double> Of) {
  return Less && Of ? std::lround(100 * (1 - *Less / *Of)) : 0;
}

/// What the form that was made has over the plan.
Message Group::gained(const LoopForm &Made, const MeasuredKernel &K) const {
  const unsigned Blocks = K.Figures.BlocksAfter.value_or(0);
  const auto Old = llvm::find_if(
      Planned, [&](const MeasuredKernel &P) { return P.Name == K.Name; });
  switch (Hopes[*Chosen]) {
  case Gain::Pieces:
    return {msg::copied_in_pieces, K.After.Registers, Blocks};
  case Gain::Leaner:
    return {msg::leaner_code,
            percentLess(K.WorkAfter,
                        Old == Planned.end() ? std::nullopt : Old->WorkAfter),
            K.After.Registers, Blocks};
  case Gain::Unrolled:
    return {msg::compute_unrolled,
            wordFor(Made.Schedule.value_or(ScheduleKind::Peeled)),
            K.After.Registers, Blocks};
  case Gain::Deeper:
    return {msg::one_more_tile_waits, K.After.Registers, Blocks};
  case Gain::FewerWarps:
    return {msg::fewer_warps_asked, unsigned(*form()->MinBlocks),
            K.After.Registers,
            Old == Planned.end() ? 0 : Old->After.Registers, Blocks};
  case Gain::Ring:
    break; // told of like a mend
  }
  llvm_unreachable("no gain of its own");
}

/// Of several kernels the one that loses most, in report and notes alike.
static const MeasuredKernel &toldOf(llvm::ArrayRef<MeasuredKernel> Kernels) {
  auto Rank = [](const MeasuredKernel &K) {
    const RegisterFigures &F = K.Figures;
    const double Lost = F.BlocksBefore && F.BlocksAfter
                            ? 1 - double(*F.BlocksAfter) / *F.BlocksBefore
                            : 0;
    return std::tuple(kpipe::judge(F, false), Lost, !K.LeavesLoopOut,
                      K.After.Registers);
  };
  return *llvm::max_element(
      Kernels, [&](const MeasuredKernel &X, const MeasuredKernel &Y) {
        return Rank(X) < Rank(Y);
      });
}

/// Where nobody asked for the way of a copy but kpipe's own choice of a form:
/// why it was chosen.
void Group::explainRoutes(const LoopOutcome &Loop, ArchReport &A) const {
  const auto Known = llvm::find_if(
      Plans, [&](const PlannedLoop &P) { return P.Key == Loop.Key; });
  if (!Chosen || Known == Plans.end())
    return;
  for (size_t I = 0; I != A.Copies.size(); ++I) {
    CopyReport &C = A.Copies[I];
    const bool Ldg = C.Reason.is(msg::registers_asked);
    if ((!Ldg && !C.Reason.is(msg::async_asked)) || Known->Asked.Variant)
      continue;
    if (I < Known->Copies.size() && Known->Copies[I].Way == C.Way)
      C.Reason = Known->Copies[I].Reason;
    else if (PlanFails)
      C.Reason = {Ldg ? msg::registers_chosen_since : msg::async_chosen_since,
                  PlanFails};
    else if (Ldg && !Hopes.empty() && Hopes[*Chosen] == Gain::Deeper)
      C.Reason = msg::registers_chosen_to_wait;
    else
      C.Reason = Ldg ? msg::registers_chosen : msg::async_chosen;
  }
}

/// Takes out what was estimated and is known now.
static void dropEstimates(ArchReport &A, const MeasuredKernel &K) {
  const RegisterFigures &F = K.Figures;
  const std::optional<unsigned> Was = F.BlocksBefore, Is = F.BlocksAfter;
  const Message Said = !Was || !Is   ? Message()
                       : *Was == *Is ? Message(msg::blocks_unchanged, *Is)
                                     : Message(msg::blocks_change, *Was, *Is);
  llvm::erase_if(A.Reasons, [&](const Diagnostic &D) {
    return D.What.is(msg::registers_estimated) ||
           (D.What.is(msg::tightest_instantiation) &&
            !D.What.isAbout(K.Name)) ||
           (D.What.is(msg::shared_and_blocks) && Said && !D.What.isAbout(Said));
  });
}

void Group::reportLoop(LoopOutcome &Loop,
                       llvm::ArrayRef<MeasuredKernel> Kernels) const {
  ArchReport &A = Loop.Report.Archs.front();
  const MeasuredKernel *K = &toldOf(Kernels);
  auto ofKernel = [&](Message What) {
    return Kernels.size() == 1 ? What
                               : Message(msg::in_instantiation, What, K->Name);
  };
  auto note = [&](Message What) {
    Loop.Diagnostics.front().Notes.push_back({Loop.Where, std::move(What)});
  };
  // What costs nothing is in the report alone.
  if (K->Figures.BlocksBefore && !(PlanFails && !Chosen) &&
      keptSpeed(*K->Figures.BlocksBefore, *K->Figures.BlocksAfter,
                K->Figures.WarpsPerBlock) < 1)
    note(ofKernel({isAccepted(kpipe::judge(K->Figures, false))
                       ? msg::lost_blocks_accepted
                       : msg::lost_blocks_permitted,
                   limitOf(*K), *K->Figures.BlocksAfter,
                   *K->Figures.BlocksBefore, *K->Threads}));
  if (PlanFails)
    note(Chosen ? PlanFails : Message(msg::asked_form_stays, PlanFails));
  if (Chosen && !Hopes.empty() && Hopes[*Chosen] != Gain::Ring)
    note(ofKernel(gained(A.Form, *K)));
  else if (Chosen)
    note(ofKernel(
        K->Figures.BlocksAfter
            ? Message(form()->MinBlocks ? msg::form_chosen_with_minimum
                                        : msg::form_chosen_with_blocks,
                      asOptions(*form()), K->After.Registers,
                      *K->Figures.BlocksAfter)
            : Message(msg::form_chosen_instead, asOptions(*form()),
                      K->After.Registers)));
  explainRoutes(Loop, A);
  RegisterReport R;
  R.Measured = true;
  R.Kernel = K->Name;
  R.Before = {K->Before.Registers, K->Figures.SpilledBefore,
              K->Figures.BlocksBefore};
  R.After = {K->After.Registers, K->Figures.SpilledAfter,
             K->Figures.BlocksAfter};
  R.Compiled = 1 + formsLookedAt();
  if (Chosen)
    R.Instead = asOptions(*form());
  dropEstimates(A, *K);
  Diagnostic D;
  D.Where = Loop.Where;
  D.What = ofKernel(describe(*K));
  A.Reasons.push_back(std::move(D));
  A.Registers = std::move(R);
  if (A.Launch) {
    A.Launch->Kernel = K->Name;
    A.Launch->Registers = K->After.Registers;
    A.Launch->Threads = K->Threads;
    if (K->Threads)
      A.Launch->DynamicShared = K->LaunchBefore.DynamicShared;
  }
  if (K->Threads)
    A.Budget = makeBudget(llvm::cantFail(findArch(Arch)), K->LaunchBefore,
                          K->LaunchAfter);
}

void Group::report(UnitOutcome &Outcome, const MeasuredText &Before,
                   const MeasuredText &After) const {
  std::vector<MeasuredKernel> Kernels = kernelsIn(Outcome, Before, After);
  for (LoopOutcome &Loop : Outcome.Loops) {
    if (!has(Loop) || Loop.Verdict != LoopVerdict::Pipelined)
      continue;
    if (!Kernels.empty()) {
      reportLoop(Loop, Kernels);
      continue;
    }
    if (Chosen) {
      auto &Notes = Loop.Diagnostics.front().Notes;
      Notes.push_back({Loop.Where, PlanFails});
      Notes.push_back({Loop.Where, {msg::form_chosen, asOptions(*form())}});
    }
    sayEstimated(Loop, {msg::nvcc_makes_no_kernel});
  }
}

void sayEstimated(LoopOutcome &Loop, const Message &Why, bool InNote) {
  ArchReport &A = Loop.Report.Archs.front();
  A.Registers.emplace();
  A.Registers->WhyNot = Why;
  Message Said{msg::registers_estimated_since, Why};
  if (InNote)
    Loop.Diagnostics.front().Notes.push_back({Loop.Where, Said});
  Diagnostic D;
  D.Where = Loop.Where;
  D.What = Said;
  A.Reasons.push_back(std::move(D));
}

void sayEstimated(UnitOutcome &Outcome, const Message &Why) {
  bool IsFirst = true;
  for (LoopOutcome &Loop : Outcome.Loops)
    if (Loop.Verdict == LoopVerdict::Pipelined)
      sayEstimated(Loop, Why, std::exchange(IsFirst, false));
}

} // namespace kpipe
