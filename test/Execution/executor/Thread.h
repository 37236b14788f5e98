// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of the running block, as the boxes of the executor see it. Plain
// data; the scheduler owns the fibers, AsyncCopies the pending list.
#pragma once

#include "../include/executor_abi.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kpipe::exec {

enum class ThreadState : std::uint8_t {
  Ready,
  AtBarrier,
  AtWarp,
  Polling, ///< asked for something that was not yet so, and asks again
  Done
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
  unsigned WarpEpoch = 0; ///< counts the warp-wide orderings this thread passed

  // Asynchronous copies: indices into the block's list, and the number of the
  // group that the next copy joins.
  std::vector<unsigned> Pending;
  unsigned Group = 0;
  /// Copies up to this number are complete with a barrier object's phase.
  unsigned ArrivesUpTo = 0;

  void *Fiber = nullptr;

  unsigned warp() const { return Id / 32; }
  unsigned lane() const { return Id % 32; }
};

inline std::string name(const Thread &T) {
  return "thread (" + std::to_string(T.Index.x) + "," +
         std::to_string(T.Index.y) + "," + std::to_string(T.Index.z) + ")";
}

} // namespace kpipe::exec
