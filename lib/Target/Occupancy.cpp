// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks per SM from an architecture's limits, and the way back from a number
// of blocks to the budget of each. It must not hold numbers of architectures:
// those are in Architectures.cpp.
//
// The model is that of cuda_occupancy.h (CUDA 13.0);
// test/Target/occupancy-sweep.cpp compares the two.
#include "kpipe/Target.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace kpipe {

using llvm::alignDown;
using llvm::alignTo;
using llvm::divideCeil;

static constexpr unsigned RegistersPerSubPartition =
    ArchLimits::RegistersPerSM / ArchLimits::SubPartitions;

llvm::StringRef describe(Limiter L) {
  switch (L) {
  case Limiter::SharedMemory:
    return "shared memory";
  case Limiter::Registers:
    return "registers";
  case Limiter::Threads:
    return "threads";
  case Limiter::Blocks:
    return "block limit";
  }
  llvm_unreachable("every limiter has a name");
}

static std::optional<unsigned> blocksByShared(const ArchLimits &Arch,
                                              const LaunchShape &Launch) {
  if (Launch.StaticShared > ArchLimits::StaticSharedPerBlock ||
      Launch.shared() > Arch.SharedPerBlockOptIn)
    return 0;
  uint64_t Allocated = alignTo(Launch.shared() + Arch.ReservedSharedPerBlock,
                               Arch.SharedGranularity);
  if (Allocated == 0)
    return std::nullopt;
  return Arch.SharedPerSM / Allocated;
}

static std::optional<unsigned> blocksByRegisters(const LaunchShape &Launch,
                                                 unsigned WarpsPerBlock) {
  if (!Launch.Registers || *Launch.Registers == 0)
    return std::nullopt;
  if (*Launch.Registers > ArchLimits::RegistersPerThread)
    return 0;
  uint64_t PerWarp =
      alignTo(uint64_t(*Launch.Registers) * ArchLimits::ThreadsPerWarp,
              ArchLimits::RegisterGranularity);
  // The hardware checks a block as if it spread over all sub-partitions.
  if (PerWarp * alignTo(WarpsPerBlock, ArchLimits::SubPartitions) >
      ArchLimits::RegistersPerBlock)
    return 0;
  unsigned WarpsPerSM =
      RegistersPerSubPartition / PerWarp * ArchLimits::SubPartitions;
  return WarpsPerSM / WarpsPerBlock;
}

Occupancy occupancy(const ArchLimits &Arch, const LaunchShape &Launch) {
  Occupancy Result;
  Result.ByBlocks = Arch.BlocksPerSM;
  Result.NeedsOptIn = Launch.shared() > ArchLimits::StaticSharedPerBlock;
  Result.ByShared = blocksByShared(Arch, Launch);
  unsigned Threads = Launch.ThreadsPerBlock;
  if (Threads > 0) {
    unsigned Warps = divideCeil(Threads, ArchLimits::ThreadsPerWarp);
    if (Threads <= ArchLimits::ThreadsPerBlock)
      Result.ByThreads = Arch.warpsPerSM() / Warps;
    Result.ByRegisters = blocksByRegisters(Launch, Warps);
  }

  unsigned Blocks = std::min(Result.ByThreads, Result.ByBlocks);
  if (Result.ByShared)
    Blocks = std::min(Blocks, *Result.ByShared);
  if (Result.ByRegisters)
    Blocks = std::min(Blocks, *Result.ByRegisters);
  Result.BlocksPerSM = Blocks;

  if (Result.ByShared == Blocks)
    Result.Limit = Limiter::SharedMemory;
  else if (Result.ByRegisters == Blocks)
    Result.Limit = Limiter::Registers;
  else if (Result.ByThreads == Blocks)
    Result.Limit = Limiter::Threads;

  if (Blocks > 0) {
    // Blocks are running, so shared memory allows that many of them.
    Result.CliffBytes = *maxSharedForBlocks(Arch, Blocks);
    Result.DistanceToCliff = Result.CliffBytes - Launch.shared();
  }
  return Result;
}

std::optional<uint64_t> maxSharedForBlocks(const ArchLimits &Arch,
                                           unsigned Blocks) {
  if (Blocks == 0 || Blocks > Arch.BlocksPerSM)
    return std::nullopt;
  uint64_t Share = alignDown(Arch.SharedPerSM / Blocks, Arch.SharedGranularity);
  if (Share < Arch.ReservedSharedPerBlock)
    return std::nullopt;
  return std::min<uint64_t>(Share - Arch.ReservedSharedPerBlock,
                            Arch.SharedPerBlockOptIn);
}

std::optional<unsigned> maxRegistersForBlocks(const ArchLimits &Arch,
                                              unsigned ThreadsPerBlock,
                                              unsigned Blocks) {
  if (ThreadsPerBlock == 0 || ThreadsPerBlock > ArchLimits::ThreadsPerBlock ||
      Blocks == 0 || Blocks > Arch.BlocksPerSM)
    return std::nullopt;
  unsigned WarpsPerBlock =
      divideCeil(ThreadsPerBlock, ArchLimits::ThreadsPerWarp);
  if (uint64_t(WarpsPerBlock) * Blocks > Arch.warpsPerSM())
    return std::nullopt;
  // Two conditions on the registers of one warp: all blocks together fit the
  // sub-partitions, and one block passes the hardware's own check.
  uint64_t WarpsPerSubPartition =
      divideCeil(uint64_t(WarpsPerBlock) * Blocks, ArchLimits::SubPartitions);
  uint64_t CheckedWarps = alignTo(WarpsPerBlock, ArchLimits::SubPartitions);
  uint64_t PerWarp =
      std::min<uint64_t>(RegistersPerSubPartition / WarpsPerSubPartition,
                         ArchLimits::RegistersPerBlock / CheckedWarps);
  uint64_t PerThread = alignDown(PerWarp, ArchLimits::RegisterGranularity) /
                       ArchLimits::ThreadsPerWarp;
  return std::min<uint64_t>(PerThread, ArchLimits::RegistersPerThread);
}

} // namespace kpipe
