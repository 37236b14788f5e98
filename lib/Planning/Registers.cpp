// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register estimates, see Registers.h.

#include "Registers.h"
#include <algorithm>

namespace kpipe {

/// A tile that takes no more than this is staged whatever the estimate says:
/// the estimate counts variables that are constants or never live together,
/// and so errs to the high side.
static constexpr unsigned AlwaysSpare = 16;

/// What a loop over tiles takes beside arrays: its counter, an index, two
/// addresses and the stack pointer. No kernel takes less than 14.
static constexpr unsigned LoopRegisters = 8;

unsigned stagedRegisters(const TileCopy &C) {
  // The store half computes such a value again; code that never runs is gone.
  if (!C.ValueIsLoaded || C.NeverRuns)
    return 0;
  constexpr uint64_t Most = 1u << 20;
  uint64_t Trips = 1;
  for (const CopyLoop &L : C.Loops)
    Trips = std::min(Trips * std::max<uint64_t>(L.Trips, 1), Most);
  uint64_t Each = (std::max(4u, C.Bytes) + 3) / 4;
  return static_cast<unsigned>(std::min(Trips * Each, Most));
}

unsigned registersPerThread(const KernelShape &Kernel,
                            const ArchLimits &Arch) {
  std::optional<unsigned> Threads =
      Kernel.MaxThreads ? Kernel.MaxThreads : Kernel.Threads;
  const unsigned Limit =
      std::min(Kernel.MaxRegisters.value_or(ArchLimits::RegistersPerThread),
               ArchLimits::RegistersPerThread);
  if (!Threads)
    return Limit;
  std::optional<unsigned> Most =
      maxRegistersForBlocks(Arch, *Threads, Kernel.MinBlocks.value_or(1));
  // ptxas drops a minimum of blocks that the SM cannot hold.
  if (!Most)
    Most = maxRegistersForBlocks(Arch, *Threads, 1);
  return std::min(Most.value_or(ArchLimits::RegistersPerThread), Limit);
}

std::optional<unsigned> leastRegisters(const KernelShape &Kernel,
                                       const ArchLimits &Arch) {
  if (Kernel.InputRegisters)
    return std::min(*Kernel.InputRegisters, registersPerThread(Kernel, Arch));
  if (Kernel.LiveRegisters == 0)
    return std::nullopt;
  // Variables that are in scope together need not be in use together, but
  // accumulators are.
  unsigned Least = Kernel.LiveRegisters * 7 / 8;
  if (Kernel.ArrayRegisters)
    Least = std::max(Least, Kernel.ArrayRegisters + LoopRegisters);
  return std::min(Least, registersPerThread(Kernel, Arch));
}

std::optional<unsigned> likelyRegisters(const KernelShape &Kernel,
                                        const ArchLimits &Arch) {
  if (Kernel.InputRegisters)
    return std::min(*Kernel.InputRegisters, registersPerThread(Kernel, Arch));
  const unsigned Likely = std::min(Kernel.LikelyRegisters,
                                   registersPerThread(Kernel, Arch));
  std::optional<unsigned> Least = leastRegisters(Kernel, Arch);
  if (Least && *Least > Likely)
    return Least;
  return Likely ? std::optional(Likely) : std::nullopt;
}

unsigned spareRegisters(const KernelShape &Kernel, const ArchLimits &Arch) {
  unsigned All = registersPerThread(Kernel, Arch);
  unsigned Free = All > Kernel.LiveRegisters ? All - Kernel.LiveRegisters : 0;
  return std::max(AlwaysSpare, Free);
}

} // namespace kpipe
