// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the threads of one block as fibers, each until it waits: at the block's
// barrier, at a warp operation, or at its end. Knows nothing of memory.
#pragma once

#include "Config.h"
#include "Thread.h"

#include <string>
#include <vector>

namespace kpipe::exec {

/// What the scheduler tells its owner.
struct SchedulerEvents {
  virtual void threadArrives(Thread &T) = 0; ///< at a barrier
  virtual void threadEnds(Thread &T) = 0;
  virtual void barrierOpens() = 0;
  /// Some threads can never go on, or did not all come to one barrier. Of is
  /// one of the threads concerned, Text says what happened.
  virtual void diverged(bool Block, const Thread &Of, std::uint32_t OtherSite,
                        const std::string &Text) = 0;

protected:
  ~SchedulerEvents() = default;
};

class Scheduler {
public:
  explicit Scheduler(SchedulerEvents &Events);

  /// Runs one block to its end. Returns false if it had to be abandoned.
  bool runBlock(uint3 BlockDim, Order O, Random &Rng, void (*Entry)(void *),
                void *Closure);

  // Called on a fiber.
  int barrier(int Predicate, KxReduce Reduce, std::uint32_t Site);
  void warp(unsigned Mask, void *Slot, KxCombine Combine, bool OrdersMemory,
            std::uint32_t Site);
  unsigned liveLanes() const;
  /// Lets others run, as one who found nothing new. What for is said if it never
  /// comes.
  void poll(std::uint32_t Site, const char *What);
  Thread &thread(unsigned Id) { return Threads[Id]; }
  /// Leaves the block for good; runBlock returns false.
  [[noreturn]] void abandon();

  Thread *Current = nullptr;

private:
  void resume(Thread &T);
  void yield();
  bool openBarrier();
  bool openWarps();
  void openWarp(Thread **Lanes, unsigned Mask);
  void reportStuck();
  bool runReady(const std::vector<unsigned> &Sequence);

  SchedulerEvents &Events;
  std::vector<Thread> Threads;
  void *Stacks;
  void *Main = nullptr; // the scheduler's own context, while a fiber runs
  void (*Entry)(void *) = nullptr;
  void *Closure = nullptr;
  bool Abandoned = false;
  unsigned IdleRounds = 0; // in which threads did nothing but poll
  const char *PolledFor = nullptr;
  unsigned Live = 0;

  friend struct FiberEntry;
};

} // namespace kpipe::exec
