// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gain for each kind of loop, by what its time is spent on.
#include "Gains.h"
#include "llvm/ADT/STLExtras.h"

namespace kpipe {

static ScheduleKind otherThan(ScheduleKind Schedule) {
  return Schedule == ScheduleKind::Guarded ? ScheduleKind::Peeled
                                           : ScheduleKind::Guarded;
}

static HopedFor leaner() {
  LoopForm Once;
  Once.Schedule = ScheduleKind::Guarded;
  return {Gain::Leaner, Once};
}

std::optional<LoopForm> piecesFor(const GoodPlan &Plan) {
  const LoopForm &Asked = Plan.Form.Asked;
  if (!Plan.CopiesElements || !Plan.Form.HasAsyncCopy || Asked.Copies ||
      Asked.Stages || Asked.Variant)
    return std::nullopt;
  LoopForm F;
  F.Copies = CopyMapping::Remap;
  return F;
}

std::optional<LoopForm> ringFor(const GoodPlan &Plan) {
  const LoopForm &Asked = Plan.Form.Asked;
  if (Plan.Form.Made.Stages.value_or(2) != 1 || Asked.Stages || Asked.Variant ||
      Plan.MayLoseBlocks || !Plan.BytesAreKnown || !Plan.Form.HasAsyncCopy ||
      !wantsRing(/*AllAsync=*/true, Plan.LeastRatio))
    return std::nullopt;
  LoopForm Two;
  Two.Variant = Variant::CpAsync;
  Two.AllowOccupancyDrop = Flag::Given;
  return Two;
}

/// Planning has loops that stay loops emitted once. Unrolled they need not be:
/// which schedule takes fewer registers then is not known before.
static std::vector<HopedFor> unrolled(const PlannedForm &Plan) {
  LoopForm Same;
  Same.Unroll = Unrolling::Compute;
  std::vector<HopedFor> All{{Gain::Unrolled, Same}};
  if (Plan.Made.Schedule && !Plan.Asked.Schedule) {
    LoopForm Other = Same;
    Other.Schedule = otherThan(*Plan.Made.Schedule);
    All.push_back({Gain::Unrolled, Other});
  }
  return All;
}

/// Tiles in flight are added one by one: two wait in registers.
static HopedFor deeper() {
  LoopForm F;
  F.Stages = 3;
  F.Variant = Variant::Ldg;
  return {Gain::Deeper, F};
}

static HopedFor fewerWarps(unsigned WarpsPerBlock) {
  LoopForm F;
  F.MinBlocks = BlocksPerSM(blocksThatHide(WarpsPerBlock));
  return {Gain::FewerWarps, F};
}

bool asksForCode(const PlannedForm &Plan) {
  return !Plan.Asked.Schedule &&
         Plan.Made.Schedule.value_or(ScheduleKind::Peeled) ==
             ScheduleKind::Peeled;
}

std::vector<HopedFor> hopesFor(const GoodPlan &Plan) {
  const LoopForm &Asked = Plan.Form.Asked;
  const bool FreeShape = !Asked.Stages && !Asked.Variant;
  std::vector<HopedFor> All;
  if (std::optional<LoopForm> Pieces = piecesFor(Plan))
    All.push_back({Gain::Pieces, *Pieces});
  if (Plan.CodeIsWorse && asksForCode(Plan.Form))
    All.push_back(leaner());
  if (std::optional<LoopForm> Two = ringFor(Plan))
    All.push_back({Gain::Ring, *Two});
  if (!Asked.Unroll && Plan.UnrollingPays)
    llvm::append_range(All, unrolled(Plan.Form));
  else if (FreeShape && !Asked.Schedule && Plan.WaitsForLoads)
    All.push_back(deeper());
  else if (!Asked.MinBlocks && Plan.MayAskForBlocks && Plan.HeldInRegisters &&
           Plan.WarpsPerBlock && Plan.LeastRatio && computes(*Plan.LeastRatio))
    All.push_back(fewerWarps(*Plan.WarpsPerBlock));
  return All;
}

bool isMade(Gain What, const LoopForm &Form, const LoopOutcome &Outcome) {
  const ArchReport &Loop = Outcome.Report.Archs.front();
  switch (What) {
  case Gain::Pieces:
    return Outcome.RemappedWhole && Loop.stages() > 1 &&
           Loop.Routes == RouteMix::AsyncCopy;
  case Gain::Leaner:
    return Loop.Form.Schedule == Form.Schedule;
  case Gain::Ring:
    return Loop.stages() > 1 && Loop.Routes == RouteMix::AsyncCopy;
  case Gain::Unrolled:
    return Loop.Form.Unroll == Form.Unroll;
  case Gain::Deeper:
    return Loop.Form.Stages == Form.Stages;
  case Gain::FewerWarps:
    return Loop.Form.MinBlocks == Form.MinBlocks;
  }
  llvm_unreachable("no such gain");
}

bool pays(Gain What, const TriedFigures &Kernel) {
  switch (What) {
  case Gain::Pieces:
    return paysInPieces(Kernel);
  case Gain::Leaner:
    return paysLeaner(Kernel);
  case Gain::Ring:
    return true; // what it may lose is judged as a plan's
  case Gain::Unrolled:
    return paysUnrolled(Kernel);
  case Gain::Deeper:
    return paysDeeper(Kernel);
  case Gain::FewerWarps:
    return paysFewerWarps(Kernel);
  }
  llvm_unreachable("no such gain");
}

} // namespace kpipe
