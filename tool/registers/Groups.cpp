// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are found by their mangled names, or where nvcc's hold a file's name
// by what people call them. See Groups.h.
#include "Groups.h"
#include "options/FormOptions.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace kpipe {

bool Group::has(const LoopOutcome &Loop) const {
  return llvm::is_contained(Keys, Loop.Key);
}

std::vector<MeasuredKernel> Group::kernelsIn(const UnitOutcome &Outcome,
                                             const MeasuredText &Before,
                                             const MeasuredText &After) const {
  // Each loop knows what it alone adds to the dynamic shared memory.
  struct Launched {
    LoopKernel Kernel;
    std::optional<uint64_t> Added = 0;
  };
  std::map<std::string, Launched> ByName;
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (has(Loop))
      for (const LoopKernel &K : Loop.Kernels) {
        Launched &L =
            ByName.try_emplace(K.Mangled, Launched{K, 0}).first->second;
        if (L.Added && K.DynamicBefore && K.DynamicAfter)
          *L.Added += *K.DynamicAfter - *K.DynamicBefore;
        else
          L.Added.reset();
      }
  std::vector<MeasuredKernel> Kernels;
  const ArchLimits &Limits = llvm::cantFail(findArch(Arch));
  for (const auto &[Mangled, L] : ByName) {
    const ResourceUse *Old = valueOf(Before.Use, Mangled),
                      *New = valueOf(After.Use, Mangled);
    if (!Old || !New)
      continue;
    MeasuredKernel &K = Kernels.emplace_back();
    K.Name = L.Kernel.Name;
    K.LeavesLoopOut = L.Kernel.LeavesLoopOut;
    K.BytesAreKnown = L.Kernel.DynamicBefore.has_value();
    K.Before = *Old;
    K.After = *New;
    K.CodeIsRead = Before.CodeIsRead && After.CodeIsRead;
    if (const InnerLoop *Loop = valueOf(Before.Inner, Mangled))
      K.WorkBefore = Loop->perByte();
    if (const InnerLoop *Loop = valueOf(After.Inner, Mangled))
      K.WorkAfter = Loop->perByte();
    K.Figures.SpilledBefore = Old->SpillStores + Old->SpillLoads;
    K.Figures.SpilledAfter = New->SpillStores + New->SpillLoads;
    if (L.Kernel.LoopIsCalled) {
      K.Figures.SpilledBefore += Before.calledSpills();
      K.Figures.SpilledAfter += After.calledSpills();
    }
    if (!L.Kernel.Threads || !L.Kernel.DynamicBefore || !L.Added)
      continue;
    K.Threads = L.Kernel.Threads;
    K.LaunchBefore = {*K.Threads, Old->StaticShared, *L.Kernel.DynamicBefore,
                      Old->Registers};
    K.LaunchAfter = {*K.Threads, New->StaticShared,
                     *L.Kernel.DynamicBefore + *L.Added, New->Registers};
    K.Figures.BlocksBefore = occupancy(Limits, K.LaunchBefore).BlocksPerSM;
    Occupancy Now = occupancy(Limits, K.LaunchAfter);
    K.Figures.BlocksAfter = Now.BlocksPerSM;
    K.RegistersAllow = Now.ByRegisters;
    K.Figures.WarpsPerBlock = (*K.Threads + ArchLimits::ThreadsPerWarp - 1) /
                              ArchLimits::ThreadsPerWarp;
  }
  // Of several that are as good, those with the loop are told of.
  llvm::stable_sort(Kernels,
                    [](const MeasuredKernel &A, const MeasuredKernel &B) {
                      return A.LeavesLoopOut < B.LeavesLoopOut;
                    });
  return Kernels;
}

RegisterVerdict Group::judge(llvm::ArrayRef<MeasuredKernel> Kernels) const {
  std::vector<RegisterFigures> Figures;
  for (const MeasuredKernel &K : Kernels)
    Figures.push_back(K.Figures);
  return kpipe::judge(Figures, MayLoseBlocks);
}

Message limitOf(const MeasuredKernel &K) {
  const bool ByShared =
      K.RegistersAllow.value_or(0) > K.Figures.BlocksAfter.value_or(0);
  return ByShared ? Message(msg::limit_is_shared, K.LaunchAfter.shared())
                  : Message(msg::limit_is_registers, K.After.Registers);
}

const MeasuredKernel &worst(llvm::ArrayRef<MeasuredKernel> Kernels) {
  return *llvm::max_element(
      Kernels, [](const MeasuredKernel &A, const MeasuredKernel &B) {
        return judge(A.Figures, false) < judge(B.Figures, false);
      });
}

PlannedForm Group::planned(const UnitOutcome &Outcome) const {
  PlannedForm Planned;
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (has(Loop)) {
      const ArchReport &A = Loop.Report.Archs.front();
      Planned.Made = A.Form;
      Planned.Asked = overlay(Planned.Asked, Loop.Asked);
      Planned.Routes = A.Routes.value_or(RouteMix::Registers);
    }
  Planned.HasAsyncCopy = llvm::cantFail(findArch(Arch)).hasAsyncCopy();
  return Planned;
}

GoodPlan Group::goodPlan(const UnitOutcome &Outcome,
                         const PlannedForm &Planned,
                         llvm::ArrayRef<MeasuredKernel> Kernels) const {
  GoodPlan Good;
  Good.Form = Planned;
  Good.CopiesElements = true;
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (has(Loop)) {
      const std::optional<double> Ratio = Loop.Report.Ratio;
      const ArchReport &A = Loop.Report.Archs.front();
      if (!Ratio)
        Good.LeastRatio.reset();
      else if (Good.LeastRatio)
        Good.LeastRatio = std::min(*Good.LeastRatio, *Ratio);
      Good.UnrollingPays &= Loop.UnrollingPays;
      // Rows of odd lengths keep accesses apart, which pieces cannot have.
      Good.CopiesElements &=
          Loop.CopiesElements &&
          llvm::none_of(A.Conflicts, [](const auto &C) { return C.Padded; });
      Good.MayAskForBlocks &= Loop.MayAskForBlocks;
      Good.HeldInRegisters &= A.Routes != RouteMix::AsyncCopy;
      Good.WaitsForLoads &= Ratio && streams(*Ratio) && A.stages() < 3 &&
                            A.Routes == RouteMix::Registers;
    }
  Good.CodeIsWorse = llvm::any_of(Kernels, [](const MeasuredKernel &K) {
    return isWorse(K.WorkBefore, K.WorkAfter);
  });
  for (const MeasuredKernel &K : Kernels) {
    Good.BytesAreKnown &= K.BytesAreKnown;
    if (!K.Threads)
      Good.WarpsPerBlock.reset();
    else if (Good.WarpsPerBlock)
      Good.WarpsPerBlock =
          std::max(*Good.WarpsPerBlock, K.Figures.WarpsPerBlock);
  }
  Good.MayLoseBlocks = MayLoseBlocks;
  return Good;
}

/// Is every kernel of the plan better off?
bool Group::gains(Gain Hoped, llvm::ArrayRef<MeasuredKernel> Kernels) const {
  return llvm::all_of(Planned, [&](const MeasuredKernel &Old) {
    const auto *New = llvm::find_if(
        Kernels, [&](const MeasuredKernel &K) { return K.Name == Old.Name; });
    // Pieces are not worth an inner loop that is worse than the author's.
    if (New != Kernels.end() && Hoped == Gain::Pieces &&
        (!New->CodeIsRead || isWorse(New->WorkBefore, New->WorkAfter)))
      return false;
    return New != Kernels.end() &&
           pays(Hoped, {Old.Figures, New->Figures, Old.After.Registers,
                        New->After.Registers, Old.WorkAfter, New->WorkAfter});
  });
}

bool Group::asksForCode(const UnitOutcome &Outcome) const {
  return !HasProfile &&
         (kpipe::asksForCode(planned(Outcome)) ||
          llvm::any_of(Outcome.Loops, [&](const LoopOutcome &Loop) {
            return has(Loop) && Loop.CopiesElements;
          }));
}

void Group::judgePlan(const UnitOutcome &Outcome, const MeasuredText &Before,
                      const MeasuredText &After) {
  std::vector<MeasuredKernel> Kernels = kernelsIn(Outcome, Before, After);
  Settled = true;
  if (Kernels.empty() || HasProfile)
    return;
  PlannedForm Planned = planned(Outcome);
  const MeasuredKernel &K = worst(Kernels);
  Planned.BlocksBefore = K.Figures.BlocksBefore;
  RegisterVerdict V = judge(Kernels);
  PlanSpills = V == RegisterVerdict::Spills;
  if (isAccepted(V)) {
    for (HopedFor &More : hopesFor(goodPlan(Outcome, Planned, Kernels))) {
      Hopes.push_back(More.What);
      Forms.push_back(std::move(More.Form));
    }
    Settled = Forms.empty();
    this->Planned = std::move(Kernels);
    return;
  }
  PlanFails = PlanSpills ? Message(msg::plan_spills, K.Figures.SpilledAfter,
                                   K.Figures.SpilledBefore)
                         : Message(msg::plan_loses_blocks, limitOf(K),
                                   *K.Figures.BlocksAfter,
                                   *K.Figures.BlocksBefore, *K.Threads);
  if (Kernels.size() > 1)
    PlanFails = {msg::in_instantiation, PlanFails, K.Name};
  Forms = formsToMeasure(Planned);
  // A ring needs no registers for tiles, pieces need fewer for addresses.
  const GoodPlan Plan = goodPlan(Outcome, Planned, Kernels);
  if (auto Two = ringFor(Plan))
    Forms.insert(Forms.begin(), *Two);
  if (auto Pieces = piecesFor(Plan))
    Forms.insert(Forms.begin(), *Pieces);
  Settled = false;
}

void Group::refusePlan(const UnitOutcome &Outcome, const MeasuredText &Before,
                       const std::string &Why) {
  PlanRefused = true;
  PlanFails = {msg::nvcc_refuses_plan, Why};
  if (HasProfile)
    return giveUp();
  PlannedForm Planned = planned(Outcome);
  std::vector<MeasuredKernel> Kernels = kernelsIn(Outcome, Before, Before);
  if (!Kernels.empty())
    Planned.BlocksBefore = worst(Kernels).Figures.BlocksBefore;
  Forms = formsToMeasure(Planned);
  // No minimum of blocks mends what does not compile: forms are tried without
  // one first.
  auto uncapped = [](LoopForm F) {
    F.MinBlocks = {};
    return F;
  };
  llvm::erase_if(Forms,
                 [&](const LoopForm &F) { return uncapped(F) == LoopForm(); });
  for (size_t I = 1; I < Forms.size(); ++I)
    if (Forms[I - 1].MinBlocks && uncapped(Forms[I - 1]) == Forms[I])
      std::swap(Forms[I - 1], Forms[I]);
  Settled = false;
}

static FormRank rankOf(llvm::ArrayRef<MeasuredKernel> Kernels) {
  FormRank Rank{std::numeric_limits<int>::min(), 0};
  for (const MeasuredKernel &K : Kernels)
    Rank = std::max(Rank, FormRank(-int(K.Figures.BlocksAfter.value_or(0)),
                                   K.After.Registers));
  return Rank;
}

bool Group::isMadeIn(size_t Form, const UnitOutcome &Outcome) const {
  const LoopForm &Asked = Forms[Form];
  const bool IsMend = Hopes.empty();
  const Gain Hoped = IsMend ? Gain::Pieces : Hopes[Form];
  size_t Pipelined = 0;
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (has(Loop) && Loop.Verdict == LoopVerdict::Pipelined) {
      if ((!IsMend || Asked.Copies) && !isMade(Hoped, Asked, Loop))
        return false;
      ++Pipelined;
    }
  return Pipelined >= Places.size();
}

void Group::judge(size_t Form, const UnitOutcome &Outcome,
                  const MeasuredText &Before, const MeasuredText &After) {
  if (!After.Failure.empty())
    return;
  const bool IsMend = Hopes.empty();
  // Behind a gain no other is looked for.
  if (!IsMend && Chosen && Hopes[Form] != Hopes[*Chosen])
    return;
  if (!isMadeIn(Form, Outcome))
    return;
  std::vector<MeasuredKernel> Kernels = kernelsIn(Outcome, Before, After);
  if (!IsMend && !gains(Hopes[Form], Kernels))
    return;
  if ((Kernels.empty() && !PlanRefused) || !isAccepted(judge(Kernels)))
    return;
  // A minimum that cannot be written is no part of what helped.
  if (llvm::none_of(Outcome.Loops, [&](const LoopOutcome &Loop) {
        return has(Loop) && Loop.Verdict == LoopVerdict::Pipelined &&
               Loop.Report.Archs.front().Form.MinBlocks;
      }))
    Forms[Form].MinBlocks = {};
  // Of forms for one gain all are looked at, of mends the first is taken.
  if (!IsMend) {
    FormRank Rank = rankOf(Kernels);
    if (Best && *Best <= Rank)
      return;
    Best = Rank;
  }
  Chosen = Form;
  Settled = IsMend || Form + 1 == Hopes.size() ||
            Hopes[Form + 1] != Hopes[Form];
}

void Group::giveUp() {
  Settled = true;
  // What does not compile is of no use to who asked for it either.
  if (!PlanFails || (Insists && !PlanRefused))
    return;
  Refused = vetoes({PlanRefused ? msg::no_form_compiles : msg::no_form_is_fit,
                    PlanFails, formsLookedAt()});
}

std::vector<VetoedLoop> Group::vetoes(Message What) const {
  std::vector<VetoedLoop> All;
  const bool DoesNotCompile =
      PlanRefused || What.is(msg::nvcc_refuses_together);
  for (const Place &P : Places) {
    Diagnostic D;
    D.Level = Severity::Warning;
    D.Rule = DoesNotCompile ? RuleId::Unsupported : RuleId::Budget;
    D.Where = P;
    D.What = {msg::not_pipelined, What};
    D.Notes.push_back({P, DoesNotCompile || PlanSpills
                              ? msg::allow_spills_to_pipeline
                              : msg::allow_drop_to_pipeline});
    All.push_back({P, std::move(D)});
  }
  return All;
}

std::vector<Group> findGroups(const UnitOutcome &Outcome,
                              const FileRequest &Request) {
  // Loops are joined by what they have in common: numbers stand for it.
  std::map<std::string, unsigned> Numbers;
  auto numberOf = [&](const std::string &Name) {
    return Numbers.try_emplace(Name, Numbers.size()).first->second;
  };
  auto loopNumber = [&](const LoopKey &Key) {
    return numberOf("loop " + Key.Function + " " + std::to_string(Key.Ordinal) +
                    " " + Key.Text);
  };
  llvm::IntEqClasses Joined;
  for (const LoopOutcome &Loop : Outcome.Loops)
    if (Loop.Verdict == LoopVerdict::Pipelined) {
      unsigned Own = loopNumber(Loop.Key);
      Joined.grow(Own + 1);
      for (const LoopKernel &K : Loop.Kernels) {
        unsigned Kernel = numberOf("kernel " + K.Mangled);
        Joined.grow(Numbers.size());
        Joined.join(Own, Kernel);
      }
    }
  std::vector<Group> Groups;
  std::map<unsigned, size_t> Known;
  for (const LoopOutcome &Loop : Outcome.Loops) {
    if (Loop.Verdict != LoopVerdict::Pipelined)
      continue;
    auto [It, IsNew] = Known.try_emplace(
        Joined.findLeader(loopNumber(Loop.Key)), Groups.size());
    if (IsNew)
      Groups.emplace_back();
    Group &G = Groups[It->second];
    G.Arch = Request.Transform.Archs.front();
    G.Places.push_back(Loop.Where);
    if (!G.has(Loop))
      G.Keys.push_back(Loop.Key);
    const LoopForm &Asked = Loop.Asked;
    G.Plans.push_back({Loop.Key, Asked, Loop.Report.Archs.front().Copies});
    G.Insists |=
        Asked.Variant || Asked.Stages || Asked.Schedule || Asked.MinBlocks;
    G.MayLoseBlocks |= Asked.AllowOccupancyDrop.has_value();
    if (Request.Transform.Choices)
      G.HasProfile |=
          llvm::any_of(*Request.Transform.Choices, [&](const LoopChoice &C) {
            return C.Loop == Loop.Key && C.Arch == G.Arch;
          });
  }
  return Groups;
}

} // namespace kpipe
