// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers (Boost.Context), barriers and warp operations. See Scheduler.h.
#include "Scheduler.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <numeric>
#include <sys/mman.h>

using namespace kpipe::exec;
namespace ctx = boost::context::detail;

static constexpr unsigned MaxThreads = 1024;
static constexpr std::size_t StackSize = std::size_t(256) << 10;

Scheduler::Scheduler(SchedulerEvents &Events) : Events(Events) {
  Stacks = mmap(nullptr, MaxThreads * StackSize, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // The lowest page of each stack faults: an overflow is reported as a wild
  // access instead of running into the next thread's stack.
  for (unsigned I = 0; I < MaxThreads; ++I)
    mprotect(static_cast<char *>(Stacks) + I * StackSize, 4096, PROT_NONE);
}

namespace kpipe::exec {
struct FiberEntry {
  static void run(ctx::transfer_t From) {
    auto *S = static_cast<Scheduler *>(From.data);
    S->Main = From.fctx;
    S->Entry(S->Closure);
    S->Current->State = ThreadState::Done;
    S->Events.threadEnds(*S->Current);
    --S->Live;
    S->yield();
    __builtin_unreachable();
  }
};
} // namespace kpipe::exec

void Scheduler::resume(Thread &T) {
  Current = &T;
  ctx::transfer_t Back = ctx::jump_fcontext(T.Fiber, this);
  T.Fiber = Back.fctx;
  Current = nullptr;
}

void Scheduler::yield() {
  ctx::transfer_t Back = ctx::jump_fcontext(Main, nullptr);
  Main = Back.fctx;
}

void Scheduler::abandon() {
  Abandoned = true;
  yield();
  __builtin_unreachable();
}

bool Scheduler::runBlock(uint3 Dim, Order O, Random &Rng,
                         void (*TheEntry)(void *), void *TheClosure) {
  Entry = TheEntry;
  Closure = TheClosure;
  Abandoned = false;
  unsigned Count = Dim.x * Dim.y * Dim.z;
  IdleRounds = 0;
  Live = Count;
  Threads.assign(Count, Thread());
  for (unsigned I = 0; I < Count; ++I) {
    Thread &T = Threads[I];
    T.Id = I;
    T.Index = {I % Dim.x, I / Dim.x % Dim.y, I / Dim.x / Dim.y};
    T.Fiber =
        ctx::make_fcontext(static_cast<char *>(Stacks) + (I + 1) * StackSize,
                           StackSize - 4096, &FiberEntry::run);
  }
  std::vector<unsigned> Sequence(Count);
  std::iota(Sequence.begin(), Sequence.end(), 0u);
  if (O == Order::Reverse)
    std::reverse(Sequence.begin(), Sequence.end());

  while (Live && !Abandoned) {
    if (O == Order::Shuffled)
      for (unsigned I = Count; I > 1; --I)
        std::swap(Sequence[I - 1], Sequence[Rng.below(I)]);
    runReady(Sequence);
    if (Abandoned || !Live)
      break;
    if (!goesOn()) {
      reportStuck();
      Abandoned = true;
    }
  }
  return !Abandoned;
}

void Scheduler::runReady(const std::vector<unsigned> &Sequence) {
  Woken = Polled = Advanced = false;
  for (unsigned I : Sequence) {
    Thread &T = Threads[I];
    if ((T.State != ThreadState::Ready && T.State != ThreadState::Polling) ||
        Abandoned)
      continue;
    resume(T);
    (T.State == ThreadState::Polling ? Polled : Advanced) = true;
  }
}

// Those who ask again and again see what changed, and may give up some day:
// after so many rounds they never do.
bool Scheduler::goesOn() {
  static constexpr unsigned Patience = 10000;
  if (openWarps() || openBarrier() || Woken || (Polled && Advanced) ||
      Events.idle()) {
    IdleRounds = 0;
    return true;
  }
  return Polled && ++IdleRounds < Patience;
}

void Scheduler::suspend(std::uint32_t Site) {
  Current->State = ThreadState::Suspended;
  Current->Site = Site;
  yield();
}

void Scheduler::wake(Thread &T) {
  T.State = ThreadState::Ready;
  T.Waits.What = Waiting::Nothing;
  Woken = true;
}

void Scheduler::poll(std::uint32_t Site) {
  Current->State = ThreadState::Polling;
  Current->Site = Site;
  yield();
  Current->State = ThreadState::Ready;
}

int Scheduler::barrier(int Predicate, KxReduce Reduce, std::uint32_t Site) {
  Thread &T = *Current;
  T.State = ThreadState::AtBarrier;
  T.Site = Site;
  T.Predicate = Predicate;
  T.Reduce = Reduce;
  Events.threadArrives(T);
  yield();
  return T.Result;
}

// Opens when every live thread is there. Threads that ended before their first
// barrier are the early return that guards whole rows in much code; one that
// ends after it has met others means that a barrier was skipped.
bool Scheduler::openBarrier() {
  Thread *First = nullptr, *Skipped = nullptr;
  int Count = 0, And = 1, Or = 0;
  for (Thread &T : Threads) {
    if (T.State == ThreadState::Done) {
      if (T.BarriersPassed)
        Skipped = &T;
      continue;
    }
    if (T.State != ThreadState::AtBarrier)
      return false;
    if (!First)
      First = &T;
    if (T.Site != First->Site) {
      Events.diverged(true, *First, T.Site,
                      name(*First) + " waits at this barrier while " + name(T) +
                          " waits at another");
      Abandoned = true;
      return true;
    }
    Count += T.Predicate != 0;
    And &= T.Predicate != 0;
    Or |= T.Predicate != 0;
  }
  if (Skipped)
    Events.diverged(true, *First, 0,
                    name(*First) + " waits at this barrier, which " +
                        name(*Skipped) + " never reached before it ended");
  std::vector<Thread *> All;
  for (Thread &T : Threads) {
    All.push_back(&T);
    if (T.State != ThreadState::AtBarrier)
      continue;
    T.Result = T.Reduce == KxCount ? Count : T.Reduce == KxAnd ? And : Or;
    T.State = ThreadState::Ready;
    ++T.BarriersPassed;
  }
  Events.barrierOpens(All.data(), unsigned(All.size()));
  return true;
}

void Scheduler::warp(unsigned Mask, void *Slot, KxCombine Combine,
                     bool OrdersMemory, std::uint32_t Site) {
  Thread &T = *Current;
  T.State = ThreadState::AtWarp;
  T.Site = Site;
  T.WarpMask = Mask | 1u << T.lane();
  T.WarpSlot = Slot;
  T.Combine = Combine;
  T.OrdersMemory = OrdersMemory;
  yield();
}

unsigned Scheduler::liveLanes() const {
  unsigned Mask = 0;
  for (unsigned I = Current->warp() * 32;
       I < Threads.size() && I < Current->warp() * 32 + 32; ++I)
    if (Threads[I].State != ThreadState::Done)
      Mask |= 1u << Threads[I].lane();
  return Mask;
}

bool Scheduler::openWarps() {
  bool Opened = false;
  for (std::size_t W = 0; W < Threads.size(); W += 32) {
    std::size_t End = std::min(W + 32, Threads.size());
    unsigned LiveMask = 0;
    for (std::size_t I = W; I < End; ++I)
      if (Threads[I].State != ThreadState::Done)
        LiveMask |= 1u << (I - W);
    for (std::size_t I = W; I < End; ++I) {
      if (Threads[I].State != ThreadState::AtWarp)
        continue;
      unsigned Mask = Threads[I].WarpMask & LiveMask, Here = 0;
      Thread *Lanes[32] = {};
      for (unsigned L = 0; L < End - W; ++L) {
        Thread &Other = Threads[W + L];
        if (Mask >> L & 1 && Other.State == ThreadState::AtWarp &&
            Other.Combine == Threads[I].Combine &&
            (Other.WarpMask & LiveMask) == Mask) {
          Here |= 1u << L;
          Lanes[L] = &Other;
        }
      }
      if (Here != Mask)
        continue;
      openWarp(Lanes, Mask);
      Opened = true;
    }
  }
  return Opened;
}

void Scheduler::openWarp(Thread **Lanes, unsigned Mask) {
  void *Slots[32] = {};
  KxCombine Combine = nullptr;
  unsigned Epoch = 0, Count = 0;
  Thread *Ordered[32];
  for (unsigned L = 0; L < 32; ++L)
    if (Lanes[L]) {
      Slots[L] = Lanes[L]->WarpSlot;
      Combine = Lanes[L]->Combine;
      Epoch = std::max(Epoch, Lanes[L]->Tick + 1);
    }
  if (Combine)
    Combine(Slots, Mask);
  for (unsigned L = 0; L < 32; ++L)
    if (Lanes[L]) {
      Lanes[L]->State = ThreadState::Ready;
      if (Lanes[L]->OrdersMemory)
        Ordered[Count++] = Lanes[L];
    }
  Events.warpMeets(Ordered, Count);
  for (unsigned I = 0; I < Count; ++I)
    Ordered[I]->Tick = Epoch;
}

// No thread can run: some wait at the barrier or a warp operation for others
// that wait elsewhere.
void Scheduler::reportStuck() {
  const Thread *Warp = nullptr, *Block = nullptr;
  for (const Thread &T : Threads) {
    if (T.State == ThreadState::Suspended || T.State == ThreadState::Polling)
      return Events.deadlock();
    if (T.State == ThreadState::AtWarp && !Warp)
      Warp = &T;
    if (T.State == ThreadState::AtBarrier && !Block)
      Block = &T;
  }
  if (!Warp)
    return;
  Events.diverged(false, *Warp, Block ? Block->Site : 0,
                  name(*Warp) +
                      " waits at this warp operation for lanes that "
                      "never come" +
                      (Block ? ", and " + name(*Block) + " at a barrier" : ""));
}
