// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that counts arrivals at barrier objects. See
// Arrivals.h.
#include "Machine.h"

using namespace kpipe::exec;

ArrivalBarrier *Machine::barrierAt(void *Object, void *PC) {
  // All use of it is one that needs no order, but behind its initialisation.
  access(Object, 8, Access::Atomic, PC);
  ArrivalBarrier *B = Objects.find(Object);
  if (!B)
    fail(Hazard::Uninitialised, PC,
         "a barrier that nothing initialised is used");
  return B;
}

void Machine::makeBarrier(void *Object, unsigned Count, void *PC) {
  if (!running())
    return;
  access(Object, 8, Access::Write, PC);
  if (ArrivalBarrier *B = Objects.find(Object); B && !B->Copies.empty())
    fail(Hazard::CopyCollision, PC,
         "a barrier is initialised while copies will arrive at it");
  Objects.make(Object, Count);
}

/// Ends the phase if nothing is missing but copies. Those complete when they
/// must, because Asked, or when they happen to.
bool Machine::settle(ArrivalBarrier &B, bool Asked) {
  if (B.Pending != std::int64_t(B.Copies.size()))
    return false;
  if (!B.Copies.empty() &&
      (Setup.Mode == Completion::Late
           ? !Asked
           : Setup.Mode == Completion::Random && Rng.below(4) != 0))
    return false;
  for (const ArrivalBarrier::Deferred &D : B.Copies)
    Copies->completeUpTo(Sched.thread(D.Thread), D.UpTo);
  B.Copies.clear();
  B.Pending = B.Expected;
  ++B.Phase;
  barrierOpens();
  return true;
}

std::uint64_t Machine::arrive(void *Object, unsigned Count, bool Drops,
                              void *PC) {
  if (!running())
    return 0;
  ArrivalBarrier &B = *barrierAt(Object, PC);
  std::uint64_t Token = B.Phase;
  B.Expected -= Drops;
  B.Pending -= Count;
  if (B.Pending < std::int64_t(B.Copies.size()))
    fail(Hazard::BarrierDivergence, PC,
         "more arrive at a barrier in one phase than it was made for");
  Copies->tick(*Sched.Current);
  settle(B, /*Asked=*/false);
  return Token;
}

void Machine::copiesArrive(void *Object, bool Counted, void *PC) {
  if (!running())
    return;
  ArrivalBarrier &B = *barrierAt(Object, PC);
  Thread &T = *Sched.Current;
  // One that the phase's count does not know makes place for itself.
  if (!Counted)
    ++B.Pending;
  unsigned UpTo = T.Pending.empty() ? 0 : T.Pending.back();
  if (UpTo > T.ArrivesUpTo)
    T.ArrivesUpTo = UpTo;
  B.Copies.push_back({T.Id, UpTo, Program->offsetOf(PC)});
  if (B.Pending < std::int64_t(B.Copies.size()))
    fail(Hazard::BarrierDivergence, PC,
         "more arrive at a barrier in one phase than it was made for");
  settle(B, /*Asked=*/false);
}

bool Machine::phaseIsOver(void *Object, std::uint64_t Which, bool ByParity,
                          void *PC) {
  if (!running())
    return true;
  ArrivalBarrier &B = *barrierAt(Object, PC);
  if (!B.isOver(Which, ByParity))
    settle(B, /*Asked=*/true);
  return B.isOver(Which, ByParity);
}

void Machine::waitPhase(void *Object, std::uint64_t Which, bool ByParity,
                        void *PC) {
  if (running())
    Copies->tick(*Sched.Current);
  while (!phaseIsOver(Object, Which, ByParity, PC))
    pollPhase(PC);
}

void Machine::pollPhase(void *PC) {
  if (running())
    Sched.poll(Program->offsetOf(PC), "the end of a barrier's phase");
}

/// Copies of threads that ended, for which nobody waited.
void Machine::endBarriers() {
  for (auto &[Object, B] : Objects.All)
    for (const ArrivalBarrier::Deferred &D : B.Copies) {
      Thread &T = Sched.thread(D.Thread);
      if (T.Pending.empty())
        continue;
      T.ArrivesUpTo = 0;
      threadEnds(T);
    }
}

extern "C" {
#define CALLER __builtin_return_address(0)
void kx_barrier_init(void *Object, unsigned Count) {
  TheMachine->makeBarrier(Object, Count, CALLER);
}
std::uint64_t kx_barrier_arrive(void *Object, unsigned Count, int Drops) {
  return TheMachine->arrive(Object, Count, Drops != 0, CALLER);
}
void kx_barrier_copies(void *Object, int Counted) {
  TheMachine->copiesArrive(Object, Counted != 0, CALLER);
}
bool kx_barrier_test(void *Object, std::uint64_t Which, int ByParity) {
  bool Over = TheMachine->phaseIsOver(Object, Which, ByParity != 0, CALLER);
  // One that asks again and again lets others run.
  if (!Over)
    TheMachine->pollPhase(CALLER);
  return Over;
}
void kx_barrier_wait(void *Object, std::uint64_t Which, int ByParity) {
  TheMachine->waitPhase(Object, Which, ByParity != 0, CALLER);
}
#undef CALLER
}
