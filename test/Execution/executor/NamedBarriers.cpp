// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that lets threads meet at numbered barriers. See
// Machine.h and NamedBarriers.h.
#include "Machine.h"

using namespace kpipe::exec;

void Machine::namedBarrier(std::uint64_t Id, std::uint64_t Count, bool Wait,
                           void *PC) {
  needClocks();
  Thread &T = *Sched.Current;
  std::string What = "barrier " + std::to_string(Id);
  if (Id >= NamedBarrierCount)
    fail(Hazard::BarrierDivergence, PC, What + " does not exist");
  if (Count == 0 || Count % 32 || Count > 1024)
    fail(Hazard::BarrierDivergence, PC,
         What + " is for " + std::to_string(Count) +
             " threads, which are no whole warps");
  NamedBarrier &B = Named[Id];
  if (!B.Expected) {
    B.Expected = unsigned(Count);
    B.PC = Program->offsetOf(PC);
  }
  if (B.Expected != Count)
    fail(Hazard::BarrierDivergence, PC,
         What + " is for " + std::to_string(Count) + " threads, and for " +
             std::to_string(B.Expected) + " at " + place(B.PC));
  threadArrives(T);
  release(B.Released, PC);
  if (++B.Arrived < B.Expected) {
    if (!Wait)
      return;
    B.Waiters.push_back(T.Id);
    T.Waits = {Waiting::Named, std::size_t(Id), false, 0};
    Sched.suspend(Program->offsetOf(PC));
    return;
  }
  NamedBarrier Full = std::move(B);
  B = {};
  if (Wait)
    Vectors.acquire(T, Full.Released);
  for (unsigned Waiter : Full.Waiters) {
    Vectors.acquire(Sched.thread(Waiter), Full.Released);
    Sched.wake(Sched.thread(Waiter));
  }
}
