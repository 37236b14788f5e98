// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that lets threads arrive on mbarriers and wait for
// them, and judges how they do. See Machine.h.
#include "Machine.h"

#include <algorithm>

using namespace kpipe::exec;

void Machine::initMbarrier(std::uint64_t Address, std::uint64_t Count,
                           void *PC) {
  void *P = kx_generic_address(Address);
  if (!Shared->contains(P) || !Shared->arrayAt(Shared->offset(P), 8))
    fail(Hazard::BadMbarrier, PC, "an mbarrier outside of shared memory");
  if (Address % 8)
    fail(Hazard::Misaligned, PC, "an mbarrier that is not aligned to 8 bytes");
  if (Count == 0 || Count > std::uint64_t(Mbarriers::Most))
    fail(Hazard::BadMbarrier, PC,
         "an mbarrier of " + std::to_string(Count) + " arrivals");
  std::size_t At = Shared->offset(P);
  if (Barriers.near(At))
    fail(Hazard::BadMbarrier, PC,
         "an mbarrier is initialised where there is one, at " +
             Shared->describe(At));
  Thread &T = *Sched.Current;
  std::uint32_t Offset = Program->offsetOf(PC);
  auto Found = Shared->beginBarrier(T, At, Offset);
  if (Found.What != Conflict::None)
    reportShared(Found, 8, Access::Write, false, Offset);
  Mbarrier &M = Barriers.add(At);
  M.At = At;
  M.Expected = M.Pending = std::int64_t(Count);
  M.InitPC = Offset;
  M.InitThread = T.Id;
  M.InitTick = T.Tick;
  M.BulkAgent = newAgent(true, PC);
  M.CopyAgent = newAgent(false, PC);
  M.Used.assign(Vectors.threads(), 0);
}

void Machine::invalMbarrier(std::uint64_t Address, void *PC) {
  Mbarrier &M = mbarrier(Address, PC);
  Thread &T = *Sched.Current;
  for (unsigned Who = 0; Who < M.Used.size(); ++Who)
    if (Who != T.Id && M.Used[Who] && !Vectors.seen(T, Who, M.Used[Who] - 1u))
      report(Hazard::SharedRace, Program->offsetOf(PC), M.InitPC,
             "the mbarrier " + Shared->describe(M.At) + " is given up by " +
                 name(T) + " while " + name(Sched.threads()[Who]) +
                 " may still use it");
  if (!M.Waiters.empty())
    fail(Hazard::BadMbarrier, PC,
         "the mbarrier " + Shared->describe(M.At) +
             " is given up while threads wait for it");
  for (const UnderWay &U : Coming)
    if ((U.IsArrival ? Arrivals[U.Number].Barrier : Bulk[U.Number].Barrier) ==
        M.At)
      fail(Hazard::BadMbarrier, PC,
           "the mbarrier " + Shared->describe(M.At) +
               " is given up while copies are to complete on it");
  Shared->endBarrier(M.At);
  Barriers.remove(M.At);
}

Mbarrier &Machine::mbarrier(std::uint64_t Address, void *PC) {
  void *P = kx_generic_address(Address);
  Mbarrier *M = Shared->contains(P) ? Barriers.at(Shared->offset(P)) : nullptr;
  if (!M)
    fail(Hazard::BadMbarrier, PC,
         "no mbarrier is initialised at " +
             (Shared->contains(P) ? Shared->describe(Shared->offset(P))
                                  : "an address outside of shared memory"));
  Thread &T = *Sched.Current;
  if (M->InitThread != T.Id && !Vectors.seen(T, M->InitThread, M->InitTick))
    report(Hazard::SharedRace, Program->offsetOf(PC), M->InitPC,
           "use of the mbarrier " + Shared->describe(M->At) + " by " + name(T) +
               " races with its initialisation at " + place(M->InitPC));
  M->Used[T.Id] = std::uint16_t(T.Tick + 1);
  tickCopies();
  return *M;
}

void Machine::arrive(Mbarrier &M, std::int64_t Count, bool Drop, bool Releases,
                     void *PC) {
  if (Count < 1 || Count > M.Pending)
    fail(Hazard::BadMbarrier, PC,
         "an arrival of " + std::to_string(Count) + " on the mbarrier " +
             Shared->describe(M.At) + ", which has " + describe(M));
  if (Releases)
    release(M.Arrived, PC);
  M.Pending -= Count;
  if (Drop)
    M.Expected -= Count;
  settle(M);
}

void Machine::expect(Mbarrier &M, std::int64_t Bytes, void *PC) {
  M.Bytes += Bytes;
  if (M.Bytes > Mbarriers::Most || M.Bytes < -Mbarriers::Most)
    fail(Hazard::BadMbarrier, PC,
         "too many bytes on the mbarrier " + Shared->describe(M.At) +
             ", which has " + describe(M));
}

void Machine::settle(Mbarrier &M) {
  if (!Mbarriers::settle(M, Vectors))
    return;
  if (M.Phase >= Clocks::LastTick - 1) {
    report(Hazard::Unsupported, M.InitPC, 0, "more than 65534 phases");
    return;
  }
  auto Goes = [&](unsigned Id) {
    Thread &T = Sched.thread(Id);
    if (!M.isOver(T.Waits.ByParity, T.Waits.Phase))
      return false;
    Vectors.acquire(T, M.Completed);
    Sched.wake(T);
    return true;
  };
  M.Waiters.erase(std::remove_if(M.Waiters.begin(), M.Waiters.end(), Goes),
                  M.Waiters.end());
}

// A wait may give up, or come too early to see a phase end that its thread
// knows nothing of: programs must ask again.
bool Machine::refuses(const Mbarrier &M, std::uint32_t Which, bool Over) {
  Thread &T = *Sched.Current;
  if (M.Phase && Vectors.seen(T, M.BulkAgent, M.tick() - 1))
    return false;
  if (Setup.Mode == Completion::Random)
    return Rng.below(2);
  bool Again = T.Refused.At == M.At && T.Refused.Phase == Which;
  T.Refused = {M.At, Which};
  return !Again && (Setup.Mode == Completion::Late || !Over);
}

bool Machine::waitFor(Mbarrier &M, bool ByParity, std::uint32_t Which,
                      bool MayBlock, void *PC) {
  Thread &T = *Sched.Current;
  T.Waits = {Waiting::Mbarrier, M.At, ByParity, Which};
  bool Over = M.isOver(ByParity, Which);
  // Before the first phase has ended, the phase before it counts as over.
  bool Refused = (M.Phase || !Over) && refuses(M, Which, Over);
  if (Over && !Refused) {
    T.Waits.What = Waiting::Nothing;
    T.Refused = {};
    Vectors.acquire(T, M.Completed);
    return true;
  }
  if (MayBlock && !Refused) {
    M.Waiters.push_back(T.Id);
    Sched.suspend(Program->offsetOf(PC));
    T.Refused = {};
    return true;
  }
  Sched.poll(Program->offsetOf(PC));
  T.Waits.What = Waiting::Nothing;
  return false;
}
