// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the running block, as the boxes of the executor see it. Plain
// data; the scheduler owns the fibers, AsyncCopies the pending list.
#pragma once

#include "../include/executor_abi.h"
#include "Wgmma.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

enum class ThreadState : std::uint8_t {
  Ready,
  AtBarrier,
  AtWarp,
  Suspended, ///< until somebody wakes it
  Polling,   ///< asked for something that was not yet so, and asks again
  Done
};

/// What a suspended or polling thread waits for.
struct Waiting {
  enum Kind : std::uint8_t { Nothing, Mbarrier, Named };
  Kind What = Nothing;
  std::size_t At = 0;   ///< the mbarrier's offset, or the barrier's number
  bool ByParity = true; ///< of the mbarrier's phase, else by its number
  std::uint32_t Phase = 0;
};

struct Thread {
  unsigned Id = 0; ///< linear index in the block
  uint3 Index{};
  ThreadState State = ThreadState::Ready;

  // What a waiting thread waits for, and where.
  std::uint32_t Site = 0;
  int Predicate = 0;
  int Result = 0;
  KxReduce Reduce = KxCount;
  unsigned WarpMask = 0;
  void *WarpSlot = nullptr;
  KxCombine Combine = nullptr;
  bool OrdersMemory = false;

  unsigned BarriersPassed = 0;
  unsigned Tick = 1; ///< counts what ordered this thread with others
  Waiting Waits;
  struct {
    std::size_t At = 0;
    std::uint32_t Phase = ~0u;
  } Refused; ///< the wait for an mbarrier that was told to ask again

  // Asynchronous copies: indices into the block's list, and the number of the
  // group that the next copy joins.
  std::vector<unsigned> Pending;
  unsigned Group = 0;
  /// Copies up to this one arrive on an mbarrier when they are complete, and
  /// the arrivals that have been: of which agent, when, with which group.
  unsigned ArrivesUpTo = 0;
  struct Arrival {
    unsigned Agent, Tick, Group;
  };
  std::vector<Arrival> Arrived;

  // wgmma: what is not computed yet, which sums were not waited for, and the
  // number of the group that the next one joins.
  struct IssuedWgmma {
    Wgmma W;
    std::uint32_t WarpA[32][4];
  };
  std::vector<IssuedWgmma> Wgmmas;
  struct Sums {
    std::vector<float *> Where;
    float *First, *Last; ///< of all: most accesses are elsewhere
    unsigned Group;
    std::uint32_t PC;
  };
  std::vector<Sums> WgmmaSums;
  unsigned WgmmaGroup = 0;

  void *Fiber = nullptr;

  unsigned warp() const { return Id / 32; }
  unsigned lane() const { return Id % 32; }
};

inline std::string name(const Thread &T) {
  return "thread (" + std::to_string(T.Index.x) + "," +
         std::to_string(T.Index.y) + "," + std::to_string(T.Index.z) + ")";
}

} // namespace kpipe::exec
