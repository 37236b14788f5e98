// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies of the running block: commit groups per thread, when the
// bytes land, when a copy is complete. What is a hazard about the bytes is
// SharedMemory's and GlobalMemory's business.
#pragma once

#include "Config.h"
#include "GlobalMemory.h"
#include "SharedMemory.h"
#include "Thread.h"

#include <vector>

namespace kpipe::exec {

class AsyncCopies {
public:
  struct Copy {
    std::size_t Dst; ///< offset in shared memory
    const char *Src;
    unsigned Bytes, Valid;
    unsigned Group;
    std::uint32_t PC; ///< of its issue
    bool Landed, Ended;
  };

  AsyncCopies(SharedMemory &Shared, GlobalMemory &Global)
      : Shared(Shared), Global(Global) {}

  void startBlock(const Config &C, Random &R) {
    Copies.clear();
    Mode = C.Mode;
    Rng = &R;
  }
  bool any() const { return !Copies.empty(); }
  /// By the number that the shadow state holds.
  const Copy &operator[](unsigned Number) const { return Copies[Number - 1]; }

  /// What was found about the two ends of a copy.
  struct Outcome {
    SharedMemory::Outcome Dst;
    GlobalMemory::Outcome Src;
  };
  /// Issues a copy between addresses that are known to be good.
  Outcome issue(Thread &T, std::size_t Dst, const char *Src, unsigned Bytes,
                unsigned Valid, std::uint32_t PC);
  void commit(Thread &T) { ++T.Group; }
  /// Completes all but the newest Groups committed groups of T.
  void waitPrior(Thread &T, unsigned Groups);
  /// Completes everything, also what was never committed.
  void waitAll(Thread &T);
  /// Completes T's copies up to a number.
  void completeUpTo(Thread &T, unsigned UpTo);
  unsigned issued() const { return unsigned(Copies.size()); }
  /// A moment at which pending bytes of T may land (in random mode).
  void tick(Thread &T);
  /// Forgets T's pending copies that no barrier waits for; returns how many.
  unsigned abandon(Thread &T);
  /// Forgets everything; the block was abandoned.
  void forget();

private:
  void land(Copy &C);
  void drop(Copy &C, unsigned Number);
  void complete(Thread &T, Copy &C, unsigned Number);

  SharedMemory &Shared;
  GlobalMemory &Global;
  Completion Mode = Completion::Late;
  Random *Rng = nullptr;
  std::vector<Copy> Copies;
};

} // namespace kpipe::exec
