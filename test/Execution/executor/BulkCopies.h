// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies of the running block, plain and of tensors: which pieces they
// move, and that they have landed or not. When they land and what waits for
// them is the machine's business. Loads end on an mbarrier, stores in groups of
// their thread.
#pragma once

#include "Thread.h"

#include <cstdint>
#include <vector>

namespace kpipe::exec {

struct BulkCopy {
  struct Piece {
    std::size_t Shared; ///< offset in shared memory
    char *Global;       ///< null: zeros are written
    unsigned Bytes;
  };
  std::vector<Piece> Pieces;
  unsigned Bytes = 0; ///< that the mbarrier hears of
  std::uint32_t PC = 0;
  unsigned Issuer = 0;
  bool Store = false, Landed = false;
  std::size_t Barrier = 0;      ///< loads: where they complete
  unsigned Agent = 0, Tick = 0; ///< loads: in whose clock, once landed
  unsigned Group = 0;           ///< stores
};

/// The stores of one thread: agents for having read and for having written.
struct BulkStores {
  unsigned ReadAgent = 0, WriteAgent = 0, Group = 0, Read = 0;
};

/// A cp.async.mbarrier.arrive that has not come about yet.
struct CopyArrival {
  unsigned Issuer, UpTo; ///< copies of AsyncCopies
  std::size_t Barrier;
  std::uint32_t PC;
  bool Done;
  unsigned Agent, Tick; ///< once done
};

} // namespace kpipe::exec
