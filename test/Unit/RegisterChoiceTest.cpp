// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of registers, spills and blocks that are lost, and what is tried
// then.
#include "kpipe/RegisterChoice.h"
#include "kpipe/Verify.h"
#include "registers/Cache.h"
#include "registers/Gains.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

RegisterFigures kernel(unsigned Before, unsigned After, unsigned Warps = 8) {
  RegisterFigures K;
  K.BlocksBefore = Before;
  K.BlocksAfter = After;
  K.WarpsPerBlock = Warps;
  return K;
}

TEST(RegisterChoice, TheLastBlockButOneIsDear) {
  EXPECT_EQ(judge(kernel(2, 2), false), RegisterVerdict::Free);
  EXPECT_EQ(judge(kernel(2, 3), false), RegisterVerdict::Free);
  EXPECT_EQ(judge(kernel(2, 1), false), RegisterVerdict::Dear);
  EXPECT_EQ(judge(kernel(3, 1), false), RegisterVerdict::Dear);
  EXPECT_EQ(judge(kernel(2, 1), true), RegisterVerdict::Cheap);
}

TEST(RegisterChoice, WhatWasMeasuredToGainIsCheap) {
  for (auto [Before, After, Warps] :
       {std::tuple(6u, 3u, 8u), {5u, 3u, 8u}, {3u, 2u, 4u}, {8u, 3u, 4u}})
    EXPECT_EQ(judge(kernel(Before, After, Warps), false),
              RegisterVerdict::Cheap)
        << Before << " -> " << After;
  // Fewer than were measured.
  EXPECT_EQ(judge(kernel(8, 2), false), RegisterVerdict::Dear);
  EXPECT_EQ(judge(kernel(16, 5), false), RegisterVerdict::Dear);
  EXPECT_EQ(judge(kernel(4, 2, 1), false), RegisterVerdict::Dear);
}

TEST(RegisterChoice, NewSpillsAreNeverAccepted) {
  RegisterFigures K = kernel(2, 2);
  K.SpilledAfter = 8;
  EXPECT_EQ(judge(K, false), RegisterVerdict::Spills);
  EXPECT_EQ(judge(K, true), RegisterVerdict::Spills);
  K.SpilledBefore = 8;
  EXPECT_EQ(judge(K, false), RegisterVerdict::Free);
  // Nor where blocks are not known.
  RegisterFigures Unknown;
  EXPECT_EQ(judge(Unknown, false), RegisterVerdict::Free);
  Unknown.SpilledAfter = 4;
  EXPECT_EQ(judge(Unknown, false), RegisterVerdict::Spills);
}

TEST(RegisterChoice, AKernelThatDoesNotRunIsNeverAccepted) {
  EXPECT_FALSE(isAccepted(judge(kernel(1, 0), true)));
}

TEST(RegisterChoice, OfAllKernelsTheWorstCounts) {
  std::vector<RegisterFigures> All{kernel(2, 2), kernel(6, 3)};
  EXPECT_EQ(judge(All, false), RegisterVerdict::Cheap);
  All.push_back(kernel(2, 1));
  EXPECT_EQ(judge(All, false), RegisterVerdict::Dear);
  EXPECT_EQ(judge(llvm::ArrayRef<RegisterFigures>(), false),
            RegisterVerdict::Free);
}

TEST(RegisterChoice, SpeedFallsWithBlocksAndWarps) {
  for (unsigned Warps : {1u, 2u, 4u, 8u, 16u})
    for (unsigned Before = 2; Before <= 16; ++Before)
      for (unsigned After = 1; After < Before; ++After) {
        EXPECT_LE(keptSpeed(Before, After, Warps),
                  keptSpeed(Before, After + 1, Warps));
        EXPECT_LE(keptSpeed(Before, After, Warps),
                  keptSpeed(Before, After, Warps + 1));
      }
}

TEST(RegisterChoice, UnrollingMayTakeLittleFromThePlan) {
  TriedFigures K{kernel(2, 2), kernel(2, 2), 120, 128};
  EXPECT_TRUE(paysUnrolled(K));
  // A block of the plan, though not of the original, down to two.
  K.Planned.BlocksAfter = 3;
  EXPECT_FALSE(paysUnrolled(K));
  K.Planned.BlocksAfter = 1;
  EXPECT_TRUE(paysUnrolled(K));
  K.Registers = 255;
  EXPECT_FALSE(paysUnrolled(K));
  K.Registers = 254;
  K.Tried.SpilledAfter = 12;
  EXPECT_FALSE(paysUnrolled(K));
  K.Planned.SpilledAfter = 12;
  EXPECT_TRUE(paysUnrolled(K));
  // Where blocks are not known nobody knows what registers cost.
  K.Planned.BlocksAfter.reset();
  EXPECT_FALSE(paysUnrolled(K));
}

TEST(RegisterChoice, BlocksMayGoWhereEnoughWarpsAreLeft) {
  auto pays = [](unsigned Before, unsigned After, unsigned Warps) {
    TriedFigures K{kernel(9, Before, Warps), kernel(9, After, Warps), 48, 64};
    EXPECT_EQ(paysUnrolled(K), paysFewerWarps(K));
    return paysUnrolled(K);
  };
  EXPECT_TRUE(pays(5, 4, 8));
  EXPECT_TRUE(pays(4, 3, 8));
  EXPECT_FALSE(pays(3, 2, 8));
  // Few warps hide little.
  EXPECT_TRUE(pays(5, 4, 4));
  EXPECT_FALSE(pays(5, 4, 3));
  // Fewer than three of eight were not measured.
  EXPECT_FALSE(pays(9, 3, 8));
}

TEST(RegisterChoice, FewerWarpsPayWhereRegistersAreTaken) {
  TriedFigures K{kernel(9, 9, 4), kernel(9, 9, 4), 40, 48};
  EXPECT_TRUE(paysFewerWarps(K));
  K.Registers = 47;
  EXPECT_FALSE(paysFewerWarps(K));
  K.Registers = 56;
  K.Tried.SpilledAfter = 4;
  EXPECT_FALSE(paysFewerWarps(K));
  EXPECT_EQ(blocksThatHide(4), 4u);
  EXPECT_EQ(blocksThatHide(8), 2u);
  EXPECT_EQ(blocksThatHide(32), 1u);
}

TEST(RegisterChoice, WorseCodeIsThatOfATenthMore) {
  EXPECT_TRUE(isWorse(0.5, 0.56));
  EXPECT_FALSE(isWorse(0.5, 0.54));
  EXPECT_FALSE(isWorse(std::nullopt, 0.9));
  EXPECT_FALSE(isWorse(0.5, std::nullopt));
  TriedFigures K{kernel(8, 8), kernel(8, 8), 32, 40, 0.62, 0.5};
  EXPECT_TRUE(paysLeaner(K));
  K.Work = 0.6;
  EXPECT_FALSE(paysLeaner(K));
  K.Work.reset();
  EXPECT_FALSE(paysLeaner(K));
  K.Work = 0.5;
  K.Tried.BlocksAfter = 1;
  EXPECT_FALSE(paysLeaner(K));
  K.Tried.BlocksAfter = 8;
  K.Tried.SpilledAfter = 8;
  EXPECT_FALSE(paysLeaner(K));
}

TEST(RegisterChoice, ATileMoreMayCostNoBlock) {
  TriedFigures K{kernel(8, 8), kernel(8, 8), 32, 40};
  EXPECT_TRUE(paysDeeper(K));
  K.Tried.BlocksAfter = 7;
  EXPECT_FALSE(paysDeeper(K));
  K.Tried.BlocksAfter = 8;
  K.Tried.SpilledAfter = 8;
  EXPECT_FALSE(paysDeeper(K));
  K.Tried.SpilledAfter = 0;
  K.Planned.BlocksAfter.reset();
  EXPECT_FALSE(paysDeeper(K));
}

static GoodPlan goodPlan(unsigned Stages, double Ratio) {
  GoodPlan P;
  P.Form.Made.Stages = Stages;
  P.Form.Made.Schedule = ScheduleKind::Guarded;
  P.LeastRatio = Ratio;
  P.WaitsForLoads = streams(Ratio) && Stages < 3;
  P.UnrollingPays = false;
  P.WarpsPerBlock = 4;
  return P;
}

static std::vector<Gain> gains(const GoodPlan &P) {
  std::vector<Gain> All;
  for (const HopedFor &H : hopesFor(P))
    All.push_back(H.What);
  return All;
}

TEST(HopesFor, EachKindOfLoopHasItsGain) {
  using Gains = std::vector<Gain>;
  EXPECT_EQ(gains(goodPlan(1, 8)), Gains{Gain::Ring});
  EXPECT_EQ(gains(goodPlan(2, 4)), Gains{Gain::Deeper});
  EXPECT_EQ(gains(goodPlan(1, 4)), Gains{Gain::Deeper});
  EXPECT_EQ(gains(goodPlan(3, 4)), Gains{});
  EXPECT_EQ(gains(goodPlan(2, 12)), Gains{});
  EXPECT_EQ(gains(goodPlan(2, 21)), Gains{Gain::FewerWarps});
  EXPECT_EQ(hopesFor(goodPlan(2, 21)).front().Form.MinBlocks, BlocksPerSM(4));
  // Where one buffer stays, what comes behind is tried.
  EXPECT_EQ(gains(goodPlan(1, 21)), (Gains{Gain::Ring, Gain::FewerWarps}));
  GoodPlan Rolled = goodPlan(2, 21);
  Rolled.UnrollingPays = true;
  EXPECT_EQ(gains(Rolled), (Gains{Gain::Unrolled, Gain::Unrolled}));
  EXPECT_EQ(hopesFor(Rolled).back().Form.Schedule, ScheduleKind::Peeled);
}

TEST(HopesFor, ElementsAreCopiedInPiecesFirst) {
  GoodPlan P = goodPlan(2, 4);
  P.CopiesElements = true;
  using Gains = std::vector<Gain>;
  EXPECT_EQ(gains(P), (Gains{Gain::Pieces, Gain::Deeper}));
  P.Form.Asked.Copies = CopyMapping::Author;
  EXPECT_EQ(gains(P), Gains{Gain::Deeper});
  P.Form.Asked = {};
  P.Form.HasAsyncCopy = false;
  EXPECT_EQ(gains(P), Gains{Gain::Deeper});
  P.Form.HasAsyncCopy = true;
  P.Form.Asked.Variant = Variant::Ldg;
  EXPECT_TRUE(gains(P).empty());
}

TEST(HopesFor, WhatWasAskedForStays) {
  GoodPlan Rolled = goodPlan(2, 12);
  Rolled.UnrollingPays = true;
  Rolled.Form.Asked.Schedule = ScheduleKind::Guarded;
  EXPECT_EQ(hopesFor(Rolled).size(), 1u);
  Rolled.Form.Asked.Unroll = Unrolling::Never;
  EXPECT_TRUE(hopesFor(Rolled).empty());
  GoodPlan Streams = goodPlan(2, 4);
  Streams.Form.Asked.Stages = 2;
  EXPECT_TRUE(hopesFor(Streams).empty());
  Streams = goodPlan(2, 4);
  Streams.Form.Asked.Schedule = ScheduleKind::Peeled;
  EXPECT_TRUE(hopesFor(Streams).empty());
  GoodPlan Computes = goodPlan(2, 21);
  Computes.Form.Asked.MinBlocks = BlocksPerSM(2);
  EXPECT_TRUE(hopesFor(Computes).empty());
  Computes = goodPlan(2, 21);
  Computes.MayAskForBlocks = false;
  EXPECT_TRUE(hopesFor(Computes).empty());
  Computes = goodPlan(1, 21);
  Computes.LeastRatio.reset();
  EXPECT_TRUE(hopesFor(Computes).empty());
  Computes = goodPlan(2, 21);
  Computes.WarpsPerBlock.reset();
  EXPECT_TRUE(hopesFor(Computes).empty());
}

TEST(FormsToMeasure, ThePlanWithFewerRegistersComesFirst) {
  PlannedForm P;
  P.Made.Stages = 3;
  P.Routes = RouteMix::AsyncCopy;
  P.BlocksBefore = 2;
  std::vector<LoopForm> All = formsToMeasure(P);
  ASSERT_FALSE(All.empty());
  LoopForm Capped;
  Capped.MinBlocks = BlocksPerSM(2);
  EXPECT_TRUE(All.front() == Capped);
  auto Has = [&](auto Member, auto Value) {
    return llvm::any_of(All, [&](const LoopForm &F) {
      return F.*Member == Value;
    });
  };
  EXPECT_TRUE(Has(&LoopForm::Stages, 2u));
  EXPECT_TRUE(Has(&LoopForm::Stages, 1u));
  EXPECT_TRUE(Has(&LoopForm::Variant, Variant::Ldg));
  EXPECT_TRUE(Has(&LoopForm::Schedule, ScheduleKind::Guarded));
  for (size_t I = 0; I != All.size(); ++I)
    for (size_t J = 0; J != I; ++J)
      EXPECT_FALSE(All[I] == All[J]);
}

TEST(FormsToMeasure, WhatWasAskedStays) {
  PlannedForm P;
  P.Made.Stages = 2;
  P.BlocksBefore = 2;
  P.Asked.Stages = 2;
  P.Asked.Variant = Variant::CpAsync;
  P.Asked.Schedule = ScheduleKind::Peeled;
  for (const LoopForm &F : formsToMeasure(P)) {
    EXPECT_TRUE(!F.Stages || F.Stages == 2u);
    EXPECT_TRUE(!F.Variant || F.Variant == Variant::CpAsync);
    EXPECT_TRUE(!F.Schedule || F.Schedule == ScheduleKind::Peeled);
  }
  // Nothing to write where the blocks are not known.
  P.BlocksBefore.reset();
  for (const LoopForm &F : formsToMeasure(P))
    EXPECT_FALSE(F.MinBlocks.has_value());
}

TEST(RegisterCache, KeysTellListsApart) {
  EXPECT_NE(RegisterCache::keyOf({"ab", "c"}), RegisterCache::keyOf({"a", "bc"}));
  EXPECT_NE(RegisterCache::keyOf({"ab"}), RegisterCache::keyOf({"ab", ""}));
  EXPECT_EQ(RegisterCache::keyOf({"ab"}), RegisterCache::keyOf({"ab"}));
}

} // namespace
