// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stand-ins of cuda::barrier and cuda::pipeline count with: arrivals
// of threads, and of copies when they are complete. The object in the program's
// memory is a place only; the counts are here.
//
// That a phase ends counts as a barrier of the block for the order of accesses,
// also where only some of its threads arrived: nothing sound is reported, and
// not every race is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace kpipe::exec {

struct ArrivalBarrier {
  std::int64_t Expected, Pending;
  std::uint64_t Phase = 0;

  /// Arrives when a thread's copies up to a number are complete.
  struct Deferred {
    unsigned Thread, UpTo;
    std::uint32_t PC;
  };
  std::vector<Deferred> Copies;

  bool isOver(std::uint64_t Which, bool ByParity) const {
    return ByParity ? (Phase & 1) != (Which & 1) : Phase != Which;
  }
};

/// Those of the running block, by their place.
class Arrivals {
public:
  void startBlock() { All.clear(); }
  ArrivalBarrier *find(const void *Object) {
    auto It = All.find(Object);
    return It == All.end() ? nullptr : &It->second;
  }
  void make(const void *Object, unsigned Count) {
    All[Object] = {Count, Count, 0, {}};
  }
  std::map<const void *, ArrivalBarrier> All;
};

} // namespace kpipe::exec
