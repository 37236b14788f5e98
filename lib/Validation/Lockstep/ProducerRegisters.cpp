// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX ISA, "setmaxnreg": a multiple of 8 from 24 to 256, the same for all warps
// of a warpgroup; what is taken was given before, by threads of the same block;
// a kernel without a known maximum of registers ignores it; ptxas 13.0 knows
// one where the bounds have a minimum of blocks. See ProducerRegisters.h.
#include "ProducerRegisters.h"
#include "llvm/ADT/SmallVector.h"

namespace kpipe {

/// Registers that a thread is launched with, all that the bounds allow, as they
/// are given to warps. 0: not known.
static unsigned launchedWith(unsigned Threads, unsigned Blocks) {
  constexpr unsigned OfSM = 65536, Most = 256, Multiple = 8, Partitions = 4,
                     Lanes = 32;
  const unsigned Warps = (Threads + Lanes - 1) / Lanes * Blocks;
  if (!Warps)
    return 0;
  // Each of four partitions has its own, and as many warps as the fullest.
  const unsigned Fullest = (Warps + Partitions - 1) / Partitions;
  const unsigned Each = OfSM / (Fullest * Partitions * Lanes);
  return std::min(Each / Multiple * Multiple, Most);
}

static bool isCount(unsigned Registers) {
  return Registers >= 24 && Registers <= 256 && Registers % 8 == 0;
}

bool registersAreThere(const DeclaredLoop &Loop, llvm::StringRef Bounds) {
  constexpr unsigned Warp = 32, Group = 128;
  if (!Loop.Keeps && !Loop.Takes)
    return Loop.Extra == Warp;
  if (Loop.Extra != Group || Loop.Authors % Group || !isCount(Loop.Keeps) ||
      !isCount(Loop.Takes))
    return false;
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  Bounds.split(Parts, ',');
  unsigned Threads = 0, Blocks = 0;
  if (Parts.size() < 2 || Parts[0].getAsInteger(10, Threads) ||
      Parts[1].getAsInteger(10, Blocks))
    return false;
  const unsigned All = Loop.Authors + Loop.Extra;
  const unsigned Each = launchedWith(Threads, Blocks);
  return Threads >= All && Loop.Keeps <= Each && Each <= Loop.Takes &&
         Loop.Keeps * Loop.Extra + Loop.Takes * Loop.Authors <= Each * All;
}

} // namespace kpipe
