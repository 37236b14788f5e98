// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target: what one GPU architecture offers, and how many blocks of a launch
// run at once on one of its multiprocessors (SM). Pure arithmetic on plain
// values; it must not know Clang, loops or pipelines.
#ifndef KPIPE_TARGET_H
#define KPIPE_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace kpipe {

/// Limits of one architecture. All sizes of shared memory are in bytes. The
/// sources of the numbers stand beside the table in
/// lib/Target/Architectures.cpp.
struct ArchLimits {
  /// "sm_86" form, without an architecture- or family-specific suffix.
  const char *Name;
  unsigned Major, Minor; ///< compute capability
  uint32_t SharedPerSM;
  /// Most that one block may have, static and dynamic together, when its
  /// launch opts in (cudaFuncAttributeMaxDynamicSharedMemorySize).
  uint32_t SharedPerBlockOptIn;
  /// Taken by the driver from every block's share, on top of what it asks for.
  uint32_t ReservedSharedPerBlock;
  /// Shared memory is given to a block in multiples of this.
  uint32_t SharedGranularity;
  unsigned ThreadsPerSM;
  unsigned BlocksPerSM;

  /// Static shared memory of one block; more is refused by ptxas. Also the
  /// most that a launch may have without opting in.
  static constexpr uint32_t StaticSharedPerBlock = 48 * 1024;
  static constexpr unsigned ThreadsPerWarp = 32;
  static constexpr unsigned ThreadsPerBlock = 1024;
  static constexpr unsigned RegistersPerSM = 65536;
  static constexpr unsigned RegistersPerBlock = 65536;
  /// ptxas refuses 256, although cuda_occupancy.h would let it pass.
  static constexpr unsigned RegistersPerThread = 255;
  /// Registers are given to a warp in multiples of this.
  static constexpr unsigned RegisterGranularity = 256;
  /// Schedulers of an SM; each owns an equal part of the registers.
  static constexpr unsigned SubPartitions = 4;

  /// cp.async exists (sm_80 and newer).
  bool hasAsyncCopy() const { return Major >= 8; }
  unsigned warpsPerSM() const { return ThreadsPerSM / ThreadsPerWarp; }
};

/// Every architecture that kpipe knows, oldest first.
llvm::ArrayRef<ArchLimits> allArchs();

/// The limits of \p Name, "sm_86" form. The suffix `a` (architecture-specific,
/// sm_90 and newer) or `f` (family-specific, sm_100 and newer) is accepted and
/// changes no limit. Fails with one line that names the known architectures.
llvm::Expected<const ArchLimits &> findArch(llvm::StringRef Name);

/// What one launch asks of an SM.
struct LaunchShape {
  unsigned ThreadsPerBlock = 0;
  /// Bytes of static (`__shared__ T a[N]`) and dynamic (third launch argument)
  /// shared memory per block.
  uint64_t StaticShared = 0, DynamicShared = 0;
  /// Registers per thread: a number from ptxas or the caller's own estimate.
  /// Empty means unknown; registers then limit nothing, so the number of
  /// blocks found is an upper bound.
  std::optional<unsigned> Registers;

  uint64_t shared() const { return StaticShared + DynamicShared; }
};

/// What keeps an SM from running one more block.
enum class Limiter { SharedMemory, Registers, Threads, Blocks };

/// "shared memory", "registers", "threads" or "block limit".
llvm::StringRef describe(Limiter L);

/// How many blocks of one launch run at once on one SM, and why not more.
struct Occupancy {
  /// Blocks per SM; 0 if a block does not fit at all.
  unsigned BlocksPerSM = 0;
  /// The resource that ends at BlocksPerSM. Where several do, the first in
  /// the order of the enumeration, as shared memory is what a pipeline spends.
  Limiter Limit = Limiter::Blocks;
  /// Blocks per SM if only this resource counted. Empty: it limits nothing
  /// (no shared memory is used, or registers are unknown).
  std::optional<unsigned> ByShared, ByRegisters;
  unsigned ByThreads = 0, ByBlocks = 0;
  /// Most shared bytes per block that keep BlocksPerSM; one byte more lowers
  /// it (or, at one block, makes the launch fail). 0 if BlocksPerSM is 0.
  uint64_t CliffBytes = 0;
  /// Bytes that a block may add before it falls: CliffBytes - shared().
  uint64_t DistanceToCliff = 0;
  /// The launch works only after cudaFuncSetAttribute raised its limit.
  bool NeedsOptIn = false;
};

/// Models what cuda_occupancy.h computes for the largest shared-memory
/// carve-out (the default of a kernel that sets none) and one block barrier,
/// and besides it the limits of ptxas: static shared memory above 48 KB and
/// more than 255 registers fit nowhere. Zero threads fit nowhere either.
Occupancy occupancy(const ArchLimits &Arch, const LaunchShape &Launch);

/// Most shared bytes per block (static and dynamic together) with which
/// \p Blocks blocks share one SM, as far as shared memory is concerned; empty
/// if not even a block without any can be had that often (each block costs
/// the reserved bytes, and there is a limit on blocks), or if \p Blocks is 0.
std::optional<uint64_t> maxSharedForBlocks(const ArchLimits &Arch,
                                           unsigned Blocks);

/// Most registers per thread with which \p Blocks blocks of
/// \p ThreadsPerBlock threads share one SM, as far as registers are concerned
/// (at most 255); empty if that many warps do not fit, or if either is 0.
std::optional<unsigned> maxRegistersForBlocks(const ArchLimits &Arch,
                                              unsigned ThreadsPerBlock,
                                              unsigned Blocks);

} // namespace kpipe

#endif // KPIPE_TARGET_H
