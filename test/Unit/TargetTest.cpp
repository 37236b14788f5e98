// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Architectures by name, occupancy of a launch, and the way back from blocks
// to budgets. test/Target compares occupancy with NVIDIA's own header.
#include "kpipe/Target.h"
#include "Archs.h"
#include "gtest/gtest.h"

using namespace kpipe;

namespace {

LaunchShape launch(unsigned Threads, uint64_t Static, uint64_t Dynamic = 0,
                   std::optional<unsigned> Registers = std::nullopt) {
  return {Threads, Static, Dynamic, Registers};
}

std::string errorOf(llvm::StringRef Name) {
  llvm::Expected<const ArchLimits &> Arch = findArch(Name);
  return Arch ? "" : llvm::toString(Arch.takeError());
}

TEST(Architectures, AreFoundByName) {
  EXPECT_EQ(arch("sm_86").SharedPerSM, 100u * 1024);
  EXPECT_EQ(arch("sm_75").SharedPerBlockOptIn, 64u * 1024);
  EXPECT_EQ(arch("sm_90").ReservedSharedPerBlock, 1024u);
  EXPECT_FALSE(arch("sm_75").hasAsyncCopy());
  EXPECT_TRUE(arch("sm_80").hasAsyncCopy());
}

TEST(Architectures, TakeTheSuffixesThatExist) {
  EXPECT_STREQ(arch("sm_90a").Name, "sm_90");
  EXPECT_STREQ(arch("sm_100a").Name, "sm_100");
  EXPECT_STREQ(arch("sm_103f").Name, "sm_103");
  EXPECT_STREQ(arch("sm_120a").Name, "sm_120");
  EXPECT_NE(errorOf("sm_86a"), "");
  EXPECT_NE(errorOf("sm_90f"), "");
  EXPECT_NE(errorOf("sm_90ab"), "");
}

TEST(Architectures, AnUnknownOneIsAnErrorThatNamesTheKnown) {
  EXPECT_EQ(errorOf("sm_99"),
            "unknown architecture 'sm_99'; known are sm_70, sm_72, sm_75, "
            "sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, "
            "sm_110, sm_120, sm_121");
  for (llvm::StringRef Bad :
       {"", "sm_", "sm_8", "86", "compute_86", "SM_86", "sm_086", "sm_86 "})
    EXPECT_NE(errorOf(Bad), "") << Bad.str();
}

TEST(Architectures, EveryRowIsConsistent) {
  for (const ArchLimits &Arch : allArchs()) {
    SCOPED_TRACE(Arch.Name);
    EXPECT_EQ("sm_" + std::to_string(Arch.Major * 10 + Arch.Minor), Arch.Name);
    EXPECT_EQ(Arch.SharedPerBlockOptIn + Arch.ReservedSharedPerBlock,
              Arch.SharedPerSM);
    EXPECT_EQ(Arch.SharedPerSM % Arch.SharedGranularity, 0u);
    EXPECT_EQ(Arch.ThreadsPerSM % ArchLimits::ThreadsPerWarp, 0u);
    EXPECT_EQ(Arch.hasAsyncCopy(), Arch.ReservedSharedPerBlock == 1024);
  }
}

TEST(Occupancy, SharedMemoryLimitsAtTheDocumentedCliff) {
  // 2 blocks need at most 50 KB - 1 KB each on sm_86.
  Occupancy Fits = occupancy(arch("sm_86"), launch(256, 0, 49 * 1024));
  EXPECT_EQ(Fits.BlocksPerSM, 2u);
  EXPECT_EQ(Fits.Limit, Limiter::SharedMemory);
  EXPECT_EQ(Fits.CliffBytes, 49u * 1024);
  EXPECT_EQ(Fits.DistanceToCliff, 0u);
  EXPECT_TRUE(Fits.NeedsOptIn);
  Occupancy Over = occupancy(arch("sm_86"), launch(256, 0, 49 * 1024 + 1));
  EXPECT_EQ(Over.BlocksPerSM, 1u);
  EXPECT_EQ(Over.CliffBytes, 99u * 1024);
  EXPECT_EQ(Over.DistanceToCliff, 50u * 1024 - 1);
}

TEST(Occupancy, CliffBelongsToTheBlocksThatRun) {
  // Threads allow 1 block of 1024 on sm_86, so all memory is free to use.
  Occupancy O = occupancy(arch("sm_86"), launch(1024, 8 * 1024));
  EXPECT_EQ(O.BlocksPerSM, 1u);
  EXPECT_EQ(O.Limit, Limiter::Threads);
  EXPECT_EQ(O.ByShared, 11u);
  EXPECT_EQ(O.CliffBytes, 99u * 1024);
  EXPECT_EQ(O.DistanceToCliff, 91u * 1024);
  EXPECT_FALSE(O.NeedsOptIn);
}

TEST(Occupancy, RegistersCountOnlyWhenKnown) {
  Occupancy Unknown = occupancy(arch("sm_80"), launch(256, 16 * 1024));
  EXPECT_EQ(Unknown.BlocksPerSM, 8u);
  EXPECT_EQ(Unknown.ByRegisters, std::nullopt);
  Occupancy Known = occupancy(arch("sm_80"), launch(256, 16 * 1024, 0, 128));
  EXPECT_EQ(Known.BlocksPerSM, 2u);
  EXPECT_EQ(Known.Limit, Limiter::Registers);
  // 63 and 64 registers are given alike; 65 are rounded up to 72.
  EXPECT_EQ(occupancy(arch("sm_80"), launch(256, 0, 0, 63)).ByRegisters, 4u);
  EXPECT_EQ(occupancy(arch("sm_80"), launch(256, 0, 0, 64)).ByRegisters, 4u);
  EXPECT_EQ(occupancy(arch("sm_80"), launch(256, 0, 0, 65)).ByRegisters, 3u);
}

TEST(Occupancy, TheLimitOnBlocks) {
  Occupancy O = occupancy(arch("sm_89"), launch(32, 0));
  EXPECT_EQ(O.BlocksPerSM, 24u);
  EXPECT_EQ(O.Limit, Limiter::Blocks);
}

TEST(Occupancy, WithoutSharedMemoryNothingIsReservedBeforeAmpere) {
  EXPECT_EQ(occupancy(arch("sm_75"), launch(64, 0)).ByShared, std::nullopt);
  EXPECT_EQ(occupancy(arch("sm_80"), launch(64, 0)).ByShared, 164u);
}

TEST(Occupancy, WhatFitsNowhereRunsZeroBlocks) {
  const ArchLimits &A = arch("sm_90");
  auto ExpectNone = [&](const LaunchShape &L, Limiter Why) {
    Occupancy O = occupancy(A, L);
    EXPECT_EQ(O.BlocksPerSM, 0u);
    EXPECT_EQ(O.Limit, Why);
    EXPECT_EQ(O.CliffBytes, 0u);
    EXPECT_EQ(O.DistanceToCliff, 0u);
  };
  ExpectNone(launch(256, 48 * 1024 + 1), Limiter::SharedMemory);
  ExpectNone(launch(256, 0, 227 * 1024 + 1), Limiter::SharedMemory);
  ExpectNone(launch(256, 0, 0, 256), Limiter::Registers);
  ExpectNone(launch(1024, 0, 0, 65), Limiter::Registers);
  ExpectNone(launch(1025, 0), Limiter::Threads);
  ExpectNone(launch(0, 0), Limiter::Threads);
}

TEST(Budget, SharedPerBlockIsTheInverseOfOccupancy) {
  for (const ArchLimits &Arch : allArchs()) {
    SCOPED_TRACE(Arch.Name);
    EXPECT_EQ(maxSharedForBlocks(Arch, 0), std::nullopt);
    EXPECT_EQ(maxSharedForBlocks(Arch, Arch.BlocksPerSM + 1), std::nullopt);
    for (unsigned Blocks = 1; Blocks <= Arch.BlocksPerSM; ++Blocks) {
      uint64_t Bytes = maxSharedForBlocks(Arch, Blocks).value();
      EXPECT_GE(occupancy(Arch, launch(32, 0, Bytes)).ByShared, Blocks);
      EXPECT_LT(occupancy(Arch, launch(32, 0, Bytes + 1)).ByShared, Blocks);
    }
  }
}

TEST(Budget, RegistersPerThreadAreTheInverseOfOccupancy) {
  for (const ArchLimits &Arch : allArchs())
    for (unsigned Threads : {1u, 32u, 33u, 96u, 128u, 160u, 256u, 768u, 1024u})
      for (unsigned Blocks = 1; Blocks <= Arch.BlocksPerSM; ++Blocks) {
        SCOPED_TRACE(std::string(Arch.Name) + ", " + std::to_string(Threads) +
                     " threads, " + std::to_string(Blocks) + " blocks");
        std::optional<unsigned> Most =
            maxRegistersForBlocks(Arch, Threads, Blocks);
        unsigned ByThreads = occupancy(Arch, launch(Threads, 0)).ByThreads;
        ASSERT_EQ(Most.has_value(), Blocks <= ByThreads);
        if (!Most)
          continue;
        EXPECT_GE(occupancy(Arch, launch(Threads, 0, 0, *Most)).ByRegisters,
                  Blocks);
        EXPECT_LT(occupancy(Arch, launch(Threads, 0, 0, *Most + 1)).ByRegisters,
                  Blocks);
      }
}

TEST(Limiter, HasANameThatReadsWell) {
  EXPECT_EQ(describe(Limiter::SharedMemory), "shared memory");
  EXPECT_EQ(describe(Limiter::Registers), "registers");
  EXPECT_EQ(describe(Limiter::Threads), "threads");
  EXPECT_EQ(describe(Limiter::Blocks), "block limit");
}

} // namespace
