// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plans in their order: as planned, two stages, registers, one buffer. See
// PlansInOrder.h.
#include "PlansInOrder.h"
#include "Support/PlaceOf.h"
#include "Support/RuleSwitch.h"
#include "Validation/BlockRuns/RunsOfThreads.h"
#include "kpipe/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace kpipe {

namespace {

class NextPlans {
public:
  NextPlans(WrittenLoop &L, const OrderedPlanning &For)
      : Options(For.Wanted), L(L), Wanted(For.Wanted.Form),
        SM(For.Code.context().getSourceManager()) {}

  TransformOptions Options; ///< of the plan that is tried
  std::optional<OrderViolation> First;

  /// Makes ready for the plan that follows one that the check refused.
  /// \returns false where there is none.
  bool next(llvm::ArrayRef<PipelinePlan> Refused, const OrderViolation &Why) {
    if (First)
      return next();
    First = Why;
    for (const PipelinePlan &P : Refused) {
      Deep = std::max(Deep, P.stages());
      Async |= P.hasRoute(Route::AsyncCopy);
      Ring |= P.Buffers > 1;
    }
    // Where rules are switched off, the check is to be seen at work.
    return !L.Bodies.front().Tile.Bulk && !ruleIsSwitchedOff("next-plans") &&
           next();
  }

  /// The same behind one that cannot be made.
  bool next() {
    while (Tried != OneBuffer) {
      Tried = Step(Tried + 1);
      if (isOpen(Tried)) {
        take(Tried);
        return true;
      }
    }
    return false;
  }

  /// What was not done, and why.
  void say(PipelinePlan &Shown) const {
    if (Tried == TwoStages)
      Shown.Reasons.push_back({{msg::two_stages_because, why()}, true});
    else if (Tried == InRegisters)
      Shown.Reasons.push_back({{msg::registers_because_of_check, why()}, true});
  }

private:
  enum Step { AsPlanned, TwoStages, InRegisters, OneBuffer };

  WrittenLoop &L;
  const LoopForm &Wanted;
  const SourceManager &SM;
  Step Tried = AsPlanned;
  /// Of the first plan.
  unsigned Deep = 0;
  bool Async = false, Ring = false;

  bool isOpen(Step S) const {
    switch (S) {
    case TwoStages:
      return Deep > 2;
    case InRegisters:
      // What else is wrong the check may not see of copies through registers.
      return Async && First->OfAsync &&
             Options.Form.Variant != Variant::CpAsync;
    default:
      return Ring;
    }
  }

  void take(Step S) {
    Options.Form.Stages = S == TwoStages ? Asked<unsigned>(2) : Wanted.Stages;
    for (LoopFacts &Body : L.Bodies) {
      if (S == InRegisters)
        for (TileCopy &C : Body.Tile.Copies)
          C.NotAsync = why();
      if (S == OneBuffer)
        for (StagedBuffer &B : Body.Tile.Buffers)
          B.NoRing = why();
    }
  }

  Message why() const {
    return {msg::plan_would_be_wrong,
            Tried == InRegisters ? Message(msg::plan_with_async)
                                 : Message(msg::n_stages, Deep),
            placeOf(First->Second, SM).Line, First->What};
  }
};

} // namespace

/// Has the output keep the barriers that code around the loop needs; returns
/// what no barrier there can mend.
static std::optional<OrderViolation>
keepOrder(WrittenLoop &L, llvm::ArrayRef<PipelinePlan> Plans,
          llvm::ArrayRef<KernelShape> Shapes, const OrderedPlanning &For) {
  bool Before = false, After = false;
  for (auto [Body, Plan, Kernel] : llvm::zip_equal(L.Bodies, Plans, Shapes)) {
    OrderVerdict V =
        validateOrder(Body.Tile, Plan, For.Code, For.AssumeNoAlias);
    if (V.Violation)
      return V.Violation;
    if (auto Lost = findByRunning(Body.Tile, Plan, For.Code, Kernel.Block,
                                  Kernel.Threads))
      return Lost;
    Before |= V.BarrierBefore;
    After |= V.BarrierAfter;
  }
  for (LoopFacts &Body : L.Bodies) {
    Body.Tile.BarrierBefore |= Before;
    Body.Tile.BarrierAfter |= After;
  }
  return std::nullopt;
}

llvm::Expected<AgreedPlans> planInOrder(WrittenLoop &L,
                                        llvm::ArrayRef<KernelShape> Shapes,
                                        const OrderedPlanning &For,
                                        std::optional<OrderViolation> &Lost) {
  std::vector<PlannedBody> Bodies;
  for (unsigned I = 0; I != L.Bodies.size(); ++I)
    Bodies.push_back({&L.Bodies[I].Tile, &Shapes[I]});
  NextPlans Others(L, For);
  for (;;) {
    auto Planned = planBodies(Bodies, For.Archs, For.ArchIndex, Others.Options);
    if (Planned) {
      auto Found = keepOrder(L, Planned->Plans, Shapes, For);
      if (!Found) {
        Others.say(Planned->Plans[Planned->Tightest]);
        return Planned;
      }
      if (Others.next(Planned->Plans, *Found))
        continue;
    } else if (!Others.First) {
      return Planned;
    } else {
      llvm::consumeError(Planned.takeError());
      if (Others.next())
        continue;
    }
    Lost = Others.First;
    return llvm::make_error<Refusal>(RuleId::MemoryOrder, Lost->What);
  }
}

} // namespace kpipe
