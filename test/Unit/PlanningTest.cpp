// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of loops that are made by hand: routes, step-downs, agreement and the
// layout of shared memory. test/Planning has the same from source text.
#include "Archs.h"
#include "kpipe/Plan.h"
#include "kpipe/Refusal.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

/// Planning tells variables apart and never looks into them.
const clang::VarDecl *variable(uintptr_t Number) {
  return reinterpret_cast<const clang::VarDecl *>(Number * 64);
}

/// A loop that copies a tile of Bytes in copies of Each bytes, Trips a thread.
TileLoop loopOf(uint64_t Bytes, unsigned Each, uint64_t Trips = 1) {
  TileLoop Loop;
  StagedBuffer Buffer;
  Buffer.Var = variable(1);
  Buffer.Bytes = Bytes;
  Buffer.Alignment = Each;
  Loop.Buffers.push_back(Buffer);
  TileCopy Copy;
  Copy.Bytes = Each;
  if (Trips != 1) {
    CopyLoop Around;
    Around.Trips = Trips;
    Copy.Loops.push_back(Around);
  }
  Loop.Copies.push_back(Copy);
  return Loop;
}

KernelShape kernelOf(uint64_t TileBytes, unsigned Threads,
                     uint64_t OtherBytes = 0) {
  KernelShape Kernel;
  Kernel.Name = "k";
  Kernel.Shared.push_back({variable(1), TileBytes, 4});
  if (OtherBytes)
    Kernel.Shared.push_back({variable(2), OtherBytes, 1});
  Kernel.Threads = Threads;
  Kernel.ThreadsFrom = msg::launch_bounds;
  return Kernel;
}

PipelinePlan planned(const TileLoop &Loop, const KernelShape &Kernel,
                     llvm::StringRef Arch = "sm_86",
                     const TransformOptions &Options = {}) {
  auto Plan = planLoop(Loop, Kernel, arch(Arch), Options);
  if (Plan)
    return *Plan;
  ADD_FAILURE() << llvm::toString(Plan.takeError());
  return {};
}

std::string refused(const TileLoop &Loop, const KernelShape &Kernel,
                    llvm::StringRef Arch, const TransformOptions &Options) {
  auto Plan = planLoop(Loop, Kernel, arch(Arch), Options);
  if (Plan)
    return "a plan";
  Refusal R = takeRefusal(Plan.takeError());
  return idOf(R.Rule).str() + ": " + R.Why.str() + " / " + R.Cure.str();
}

bool stepsDown(const PipelinePlan &Plan) {
  for (const Reason &R : Plan.Reasons)
    if (R.StepDown)
      return true;
  return false;
}

TransformOptions forced(Variant V) {
  TransformOptions Options;
  Options.Form.Variant = V;
  return Options;
}

TEST(Planning, LaysSharedMemoryOutInOrder) {
  EXPECT_EQ(layoutShared({}, 1), 0u);
  EXPECT_EQ(layoutShared({{variable(1), 3, 1}, {variable(2), 16, 16}}, 1), 32u);
  EXPECT_EQ(layoutShared({{variable(1), 16, 16}, {variable(2), 3, 1}}, 1), 19u);
  EXPECT_EQ(layoutShared({{variable(1), 16, 16}, {variable(2), 3, 1}}, 16),
            32u);
}

TEST(Planning, RoutesByWidthAndArchitecture) {
  EXPECT_EQ(planned(loopOf(4096, 16), kernelOf(4096, 256)).Copies[0].Way,
            Route::AsyncCopy);
  EXPECT_EQ(planned(loopOf(2048, 8), kernelOf(2048, 256)).Copies[0].Way,
            Route::Registers);
  PipelinePlan Old =
      planned(loopOf(4096, 16), kernelOf(4096, 256), "sm_75");
  EXPECT_EQ(Old.Copies[0].Way, Route::Registers);
  EXPECT_EQ(Old.StagedRegisters, 4u);
  EXPECT_EQ(Old.Buffers, 2u);
}

TEST(Planning, ACopyThatRegistersCannotHoldGoesAsynchronously) {
  TileLoop Loop = loopOf(1024, 4);
  Loop.NotSplittable = msg::destination_is_loaded;
  EXPECT_EQ(planned(Loop, kernelOf(1024, 256)).Copies[0].Way,
            Route::AsyncCopy);
  EXPECT_EQ(refused(Loop, kernelOf(1024, 256), "sm_75", {}),
            "register-shape: a tile cannot be staged in registers, because "
            "where a value is stored depends on a loaded value (registers, "
            "because sm_75 has no cp.async) / ");
  EXPECT_EQ(refused(Loop, kernelOf(1024, 256), "sm_86", forced(Variant::Ldg)),
            "register-shape: a tile cannot be staged in registers, because "
            "where a value is stored depends on a loaded value (registers, "
            "because registers were asked for) / leave the choice to "
            "--variant=auto");
}

TEST(Planning, CountsStagedRegisters) {
  // Values under four bytes take a register each, computed ones none.
  EXPECT_EQ(planned(loopOf(2048, 2, 4), kernelOf(2048, 256)).StagedRegisters,
            4u);
  TileLoop Computed = loopOf(2048, 4, 2);
  Computed.Copies[0].ValueIsLoaded = false;
  EXPECT_EQ(planned(Computed, kernelOf(2048, 256)).StagedRegisters, 0u);
}

TEST(Planning, KnowsTheRegistersOfALaunch) {
  // 1024 threads leave 64 registers; 40 of them hold variables.
  KernelShape Kernel = kernelOf(16384, 1024);
  Kernel.LiveRegisters = 40;
  EXPECT_EQ(planned(loopOf(16384, 4, 24), Kernel, "sm_75").StagedRegisters,
            24u);
  EXPECT_EQ(refused(loopOf(16384, 4, 25), Kernel, "sm_75", {}),
            "budget: staging needs 25 registers per thread, and about 24 of "
            "64 are free (registers, because sm_75 has no cp.async) / use a smaller tile, or more threads for it");
  // A tile of 16 registers is never refused: the estimate is too rough.
  Kernel.LiveRegisters = 64;
  EXPECT_EQ(planned(loopOf(16384, 4, 16), Kernel, "sm_75").StagedRegisters,
            16u);
  // Bounds on blocks count as well as those on threads.
  Kernel = kernelOf(4096, 256);
  Kernel.MaxThreads = 256;
  Kernel.MinBlocks = 4;
  Kernel.LiveRegisters = 40;
  EXPECT_NE(refused(loopOf(4096, 4, 25), Kernel, "sm_75", {})
                .find("about 24 of 64"),
            std::string::npos);
}

TEST(Planning, RegistersLimitBeforeSharedMemoryDoes) {
  // 2 x 8 KB: with six blocks of 256 threads on sm_86 over the cliff, with the
  // two that 104 registers a thread leave far from it.
  KernelShape Kernel = kernelOf(8192, 256);
  EXPECT_EQ(planned(loopOf(8192, 4, 8), Kernel).Buffers, 1u);
  Kernel.LiveRegisters = 104;
  PipelinePlan Plan = planned(loopOf(8192, 4, 8), Kernel);
  EXPECT_EQ(Plan.Buffers, 2u);
  ASSERT_TRUE(Plan.After.Fits);
  EXPECT_EQ(Plan.After.Fits->BlocksPerSM, 2u);
  EXPECT_EQ(Plan.After.Fits->Limit, Limiter::Registers);
}

TEST(Planning, AnEstimateDoesNotHideSharedMemory) {
  // ptxas is likely to take 104 registers, with which two blocks fit in any
  // case; but the variables need no more than 8, with which six did.
  KernelShape Kernel = kernelOf(8192, 256);
  Kernel.LiveRegisters = 8;
  Kernel.LikelyRegisters = 104;
  PipelinePlan Plan = planned(loopOf(8192, 4, 8), Kernel);
  EXPECT_EQ(Plan.Buffers, 1u);
  EXPECT_TRUE(stepsDown(Plan));
  ASSERT_TRUE(Plan.After.Fits);
  EXPECT_EQ(Plan.After.Registers, 104u);
  EXPECT_EQ(Plan.After.Fits->BlocksPerSM, 2u);
  EXPECT_EQ(Plan.After.FitsAtMost->BlocksPerSM, 6u);
}

TEST(Planning, ArraysAreInUseTogether) {
  // 7/8 of 146 registers would leave room for four blocks, of which 32 KB a
  // block take one; but 128 of them are accumulators, which leave three.
  KernelShape Kernel = kernelOf(16384, 128);
  Kernel.LiveRegisters = 146;
  Kernel.LikelyRegisters = 168;
  EXPECT_EQ(planned(loopOf(16384, 16, 8), Kernel).Buffers, 1u);
  Kernel.ArrayRegisters = 128;
  PipelinePlan Plan = planned(loopOf(16384, 16, 8), Kernel);
  EXPECT_EQ(Plan.Buffers, 2u);
  ASSERT_TRUE(Plan.After.FitsAtMost);
  EXPECT_EQ(Plan.After.FitsAtMost->BlocksPerSM, 3u);
}

TEST(Planning, StepsDownAtTheCliff) {
  PipelinePlan At = planned(loopOf(16384, 16, 2), kernelOf(16384, 512, 256));
  EXPECT_EQ(At.Buffers, 2u);
  EXPECT_EQ(At.After.Fits->DistanceToCliff, 0u);
  EXPECT_FALSE(stepsDown(At));
  PipelinePlan Over = planned(loopOf(16384, 16, 2), kernelOf(16384, 512, 257));
  EXPECT_EQ(Over.Buffers, 1u);
  EXPECT_EQ(Over.After.SharedBytes, Over.Before.SharedBytes);
  EXPECT_EQ(Over.Copies[0].Way, Route::Registers);
  EXPECT_TRUE(stepsDown(Over));
  EXPECT_EQ(refused(loopOf(16384, 16, 2), kernelOf(16384, 512, 257), "sm_86",
                    forced(Variant::CpAsync)),
            "budget: two stages (33025 bytes) would lower the blocks per SM "
            "from 3 to 2 on sm_86 / use a smaller tile, or pass "
            "--allow-occupancy-drop, or leave the choice to --variant=auto");
}

TEST(Planning, NeverExceedsStaticSharedMemory) {
  TransformOptions Allow;
  Allow.Form.AllowOccupancyDrop = Flag::Given;
  EXPECT_EQ(planned(loopOf(24576, 16), kernelOf(24576, 1024), "sm_90", Allow)
                .After.SharedBytes,
            49152u);
  EXPECT_EQ(
      planned(loopOf(24592, 16), kernelOf(24592, 1024), "sm_90", Allow).Buffers,
      1u);
  // Without a block size as well.
  KernelShape Unknown = kernelOf(24592, 1);
  Unknown.Threads.reset();
  EXPECT_EQ(planned(loopOf(24592, 16), Unknown, "sm_90", Allow).Buffers, 1u);
}

TEST(Planning, MovesToDynamicSharedMemoryWhereTheLaunchesCan) {
  KernelShape Kernel = kernelOf(24592, 1024);
  Kernel.Shared.push_back({variable(3), 100, 4});
  Kernel.Launches.push_back(nullptr); // which one does not matter
  PipelinePlan Plan = planned(loopOf(24592, 16), Kernel, "sm_90");
  EXPECT_EQ(Plan.Buffers, 2u);
  EXPECT_TRUE(Plan.dynamic());
  EXPECT_EQ(Plan.After.SharedBytes, 112u);
  EXPECT_EQ(Plan.After.DynamicBytes, 49184u);

  // Not where two stages fit without, nor where a block may not have them.
  EXPECT_FALSE(planned(loopOf(1024, 16), kernelOf(1024, 1024)).dynamic());
  TransformOptions Many;
  Many.Form.Stages = 8;
  Plan = planned(loopOf(24592, 16), Kernel, "sm_86", Many);
  EXPECT_EQ(Plan.Buffers, 4u);
  EXPECT_TRUE(Plan.dynamic());
  Plan = planned(loopOf(24592, 16), Kernel, "sm_75", Many);
  EXPECT_EQ(Plan.Buffers, 2u);

  TransformOptions Never;
  Never.DynamicShared = false;
  EXPECT_EQ(planned(loopOf(24592, 16), Kernel, "sm_90", Never).Buffers, 1u);
  Kernel.NotRelaunched = msg::kernel_is_declared_apart;
  EXPECT_EQ(planned(loopOf(24592, 16), Kernel, "sm_90").Buffers, 1u);
}

/// A loop whose tile is the kernel's dynamic shared memory, and its kernel.
TileLoop blockLoop() {
  TileLoop Loop = loopOf(0, 16);
  Loop.Buffers[0].Block = true;
  return Loop;
}

KernelShape blockKernel(uint64_t Bytes, uint64_t OfAnyLaunch) {
  KernelShape Kernel = kernelOf(64, 256);
  Kernel.DynamicShared = Bytes;
  Kernel.Regrown.MostBytes = OfAnyLaunch;
  Kernel.Regrown.Counts.push_back({});
  return Kernel;
}

TEST(Planning, GrowsDynamicSharedMemory) {
  PipelinePlan Plan = planned(blockLoop(), blockKernel(1000, 1000));
  EXPECT_EQ(Plan.Buffers, 2u);
  EXPECT_FALSE(Plan.dynamic());
  EXPECT_EQ(Plan.Grown.size(), 1u);
  EXPECT_EQ(Plan.Before.DynamicBytes, 1000u);
  EXPECT_EQ(Plan.After.DynamicBytes, 2048u) << "each stage rounded up to 128";
  EXPECT_FALSE(Plan.After.OptsIn);

  // Static and dynamic bytes share the 48 KB: 64 more are over it.
  TransformOptions Drop;
  Drop.Form.AllowOccupancyDrop = Flag::Given;
  Plan = planned(blockLoop(), blockKernel(24448, 24448), "sm_90", Drop);
  EXPECT_EQ(Plan.Buffers, 2u);
  EXPECT_FALSE(Plan.After.OptsIn);
  Plan = planned(blockLoop(), blockKernel(24576, 24576), "sm_90", Drop);
  EXPECT_EQ(Plan.Buffers, 2u);
  EXPECT_TRUE(Plan.After.OptsIn);
  // So do a launch of another instantiation, and the host's own limit.
  EXPECT_TRUE(
      planned(blockLoop(), blockKernel(1000, 30000), "sm_90").After.OptsIn);
  KernelShape Kernel = blockKernel(1000, 1000);
  Kernel.Regrown.AlwaysOptsIn = true;
  EXPECT_TRUE(planned(blockLoop(), Kernel).After.OptsIn);

  // One text: all of its instantiations opt in if one has to.
  TileLoop Loop = blockLoop();
  KernelShape Small = blockKernel(1000, 24576), Large = Small;
  Small.Shared.clear();
  AgreedPlans Agreed = llvm::cantFail(
      planBodies({{&Loop, &Small}, {&Loop, &Large}}, arch("sm_90"), {}));
  ASSERT_EQ(Agreed.Plans.size(), 2u);
  EXPECT_TRUE(Agreed.Plans[0].After.OptsIn);
  EXPECT_TRUE(Agreed.Plans[1].After.OptsIn);
}

TEST(Planning, KeepsDynamicSharedMemoryThatCannotGrow) {
  KernelShape Kernel = blockKernel(1000, 1000);
  Kernel.Regrown.Not = msg::kernel_is_declared_apart;
  PipelinePlan Plan = planned(blockLoop(), Kernel);
  EXPECT_EQ(Plan.Buffers, 1u);
  EXPECT_TRUE(Plan.Grown.empty());
  EXPECT_TRUE(stepsDown(Plan));

  // As many stages as a block may have: 100 KB on sm_86, less the static part.
  TransformOptions Many;
  Many.Form.Stages = 8;
  Many.Form.AllowOccupancyDrop = Flag::Given;
  EXPECT_EQ(
      planned(blockLoop(), blockKernel(32768, 32768), "sm_86", Many).Buffers,
      3u);
  EXPECT_EQ(
      planned(blockLoop(), blockKernel(32768, 32768), "sm_75", Many).Buffers,
      1u);

  // Nobody knows what more of an unknown size costs.
  Kernel = blockKernel(1000, 1000);
  Kernel.DynamicShared.reset();
  Kernel.Regrown.MostBytes.reset();
  EXPECT_EQ(planned(blockLoop(), Kernel).Buffers, 1u);
  Kernel.Regrown.Elsewhere = true;
  Plan = planned(blockLoop(), Kernel);
  EXPECT_EQ(Plan.Buffers, 2u);
  EXPECT_TRUE(Plan.After.OptsIn);

  Kernel = blockKernel(30000, 30000);
  Kernel.Regrown.NotOptingIn = {msg::launch_deduces_arguments, 7};
  EXPECT_EQ(planned(blockLoop(), Kernel, "sm_90").Buffers, 1u);
}

TEST(Planning, CountsTheAlignmentThatEmissionDeclares) {
  KernelShape Kernel = kernelOf(2048, 256);
  Kernel.Shared.insert(Kernel.Shared.begin(), {variable(3), 4, 4});
  PipelinePlan Plan = planned(loopOf(2048, 16), Kernel);
  EXPECT_EQ(Plan.Before.SharedBytes, 2052u);
  EXPECT_EQ(Plan.After.SharedBytes, 16u + 2 * 2048u);
}

TEST(Planning, RefusesAsynchronousCopiesThatCannotBe) {
  TileLoop Loop = loopOf(3072, 12);
  Loop.Copies[0].NotAsync = {msg::copies_odd_size, 12};
  EXPECT_EQ(
      refused(Loop, kernelOf(3072, 256), "sm_86", forced(Variant::CpAsync)),
      "async-shape: cp.async was asked for, but it copies 12 bytes per "
      "thread, and cp.async takes 4, 8 or 16 / leave the choice to --variant=auto");
  EXPECT_EQ(refused(loopOf(4096, 16), kernelOf(4096, 256), "sm_75",
                    forced(Variant::CpAsync)),
            "async-shape: cp.async was asked for, but sm_75 has no cp.async / "
            "leave the choice to --variant=auto");
  TransformOptions One = forced(Variant::CpAsync);
  One.Form.Stages = 1;
  EXPECT_EQ(refused(loopOf(4096, 16), kernelOf(4096, 256), "sm_86", One),
            "async-shape: cp.async was asked for and needs a second buffer, "
            "but one stage was asked for / ask for two stages");
}

TEST(Planning, BodiesOfOneTextAgree) {
  TileLoop Wide = loopOf(4096, 16), Odd = loopOf(3072, 12);
  Odd.Copies[0].NotAsync = {msg::copies_odd_size, 12};
  KernelShape WideKernel = kernelOf(4096, 256), OddKernel = kernelOf(3072, 256);
  AgreedPlans Routes = llvm::cantFail(
      planBodies({{&Wide, &WideKernel}, {&Odd, &OddKernel}}, arch("sm_86"), {}));
  ASSERT_EQ(Routes.Plans.size(), 2u);
  EXPECT_EQ(Routes.Plans[0].Copies[0].Way, Route::Registers);
  EXPECT_EQ(Routes.Plans[0].StagedRegisters, 4u);
  EXPECT_EQ(Routes.Tightest, 0u);

  TileLoop Large = loopOf(32768, 16, 8);
  KernelShape LargeKernel = kernelOf(32768, 256);
  AgreedPlans Forms = llvm::cantFail(planBodies(
      {{&Wide, &WideKernel}, {&Large, &LargeKernel}}, arch("sm_86"), {}));
  ASSERT_EQ(Forms.Plans.size(), 2u);
  EXPECT_EQ(Forms.Plans[0].Buffers, 1u);
  EXPECT_EQ(Forms.Plans[1].Buffers, 1u);
  EXPECT_EQ(Forms.Tightest, 1u);

  auto None = planBodies({{&Wide, &WideKernel}, {&Odd, &OddKernel}},
                         arch("sm_86"), forced(Variant::CpAsync));
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(takeRefusal(None.takeError()).Rule, RuleId::AsyncShape);
}

TEST(Planning, ArchitecturesOfOneTextAgree) {
  TileLoop Loop = loopOf(2048, 16);
  KernelShape Kernel = kernelOf(2048, 256);
  TransformOptions Many;
  Many.Form.Stages = 8;
  Many.Form.AllowOccupancyDrop = Flag::Given;
  const ArchLimits *Archs[] = {&arch("sm_90"), &arch("sm_86"), &arch("sm_75")};

  // As many stages as the smallest has room for; alone the largest has more.
  TileLoop Block = blockLoop();
  KernelShape Grown = blockKernel(32768, 32768);
  EXPECT_GT(planned(Block, Grown, "sm_90", Many).Buffers, 3u);
  AgreedPlans Two = llvm::cantFail(planBodies(
      {{&Block, &Grown}}, llvm::ArrayRef(Archs).take_front(2), 0, Many));
  EXPECT_EQ(Two.Plans[0].Buffers, 3u);
  ASSERT_EQ(Two.Decisions.size(), 1u);
  EXPECT_EQ(Two.Decisions[0].What, ArchDecision::Stages);
  EXPECT_EQ(Two.Decisions[0].Arch, Archs[1]);
  EXPECT_FALSE(Two.Decisions[0].Why.empty());

  // What one refuses, all do; the reason says which.
  auto None = planBodies({{&Loop, &Kernel}}, Archs, 0, forced(Variant::CpAsync));
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(takeRefusal(None.takeError()).Why.str(),
            "cp.async was asked for, but sm_75 has no cp.async (on sm_75)");

  // One architecture has nothing to agree on.
  AgreedPlans One = llvm::cantFail(
      planBodies({{&Loop, &Kernel}}, arch("sm_75"), TransformOptions()));
  EXPECT_TRUE(One.Decisions.empty());
}

} // namespace
