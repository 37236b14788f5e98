// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the machine that the stand-ins of cuda::barrier and
// cuda::pipeline call: their objects are mbarriers. One that is made again
// needs no instruction that ends the old one, only that nobody uses it any
// more.
#include "Machine.h"

using namespace kpipe::exec;

static std::uint64_t addressOf(void *Object) {
  return reinterpret_cast<std::uint64_t>(Object);
}

void Machine::makeBarrier(void *Object, unsigned Count, void *PC) {
  if (!running())
    return;
  needClocks();
  if (Shared->contains(Object) && Barriers.at(Shared->offset(Object)))
    invalMbarrier(addressOf(Object), PC);
  initMbarrier(addressOf(Object), Count, PC);
}

std::uint64_t Machine::arriveAt(void *Object, unsigned Count, bool Drops,
                                void *PC) {
  if (!running())
    return 0;
  needClocks();
  Mbarrier &M = mbarrier(addressOf(Object), PC);
  Copies->tick(*Sched.Current);
  std::uint64_t State = token(M);
  arrive(M, Count, Drops, true, PC);
  return State;
}

void Machine::copiesArriveAt(void *Object, bool Counted, void *PC) {
  if (!running())
    return;
  needClocks();
  arriveAfterCopies(mbarrier(addressOf(Object), PC), Counted, PC);
}

bool Machine::testPhase(void *Object, std::uint64_t Which, bool ByParity,
                        bool MayBlock, void *PC) {
  if (!running())
    return true;
  needClocks();
  return waitForState(mbarrier(addressOf(Object), PC), Which, ByParity,
                      MayBlock, PC);
}

#define CALLER __builtin_return_address(0)
extern "C" {
void kx_barrier_init(void *Object, unsigned Count) {
  TheMachine->makeBarrier(Object, Count, CALLER);
}
std::uint64_t kx_barrier_arrive(void *Object, unsigned Count, int Drops) {
  return TheMachine->arriveAt(Object, Count, Drops != 0, CALLER);
}
void kx_barrier_copies(void *Object, int Counted) {
  TheMachine->copiesArriveAt(Object, Counted != 0, CALLER);
}
bool kx_barrier_test(void *Object, std::uint64_t Which, int ByParity) {
  return TheMachine->testPhase(Object, Which, ByParity != 0, false, CALLER);
}
void kx_barrier_wait(void *Object, std::uint64_t Which, int ByParity) {
  while (!TheMachine->testPhase(Object, Which, ByParity != 0, true, CALLER))
    ;
}
}
#undef CALLER
