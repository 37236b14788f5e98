// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor's side of include/executor_abi.h: what stand-in CUDA headers and
// the harness call. Only forwards to the machine.
#include "Machine.h"

#include <cstdio>

using namespace kpipe::exec;

#define CALLER __builtin_return_address(0)

// Shared addresses as 32-bit numbers: never zero, never near a host pointer.
static constexpr std::uint32_t SharedWindow = 0x01000000;

extern "C" {
uint3 kx_thread_index() { return TheMachine->Sched.Current->Index; }
uint3 kx_block_index() { return TheMachine->BlockIndex; }
uint3 kx_block_dim() { return TheMachine->BlockDim; }
uint3 kx_grid_dim() { return TheMachine->GridDim; }
unsigned kx_lane() { return TheMachine->Sched.Current->lane(); }
unsigned kx_live_lanes() { return TheMachine->Sched.liveLanes(); }

int kx_barrier(int Predicate, KxReduce Reduce) {
  return TheMachine->barrier(Predicate, Reduce, CALLER);
}
void kx_warp(unsigned Mask, void *Slot, KxCombine Combine, int OrdersMemory) {
  TheMachine->warp(Mask, Slot, Combine, OrdersMemory != 0, CALLER);
}

void kx_read(const void *P, std::size_t N) {
  TheMachine->access(P, N, Access::Read, CALLER);
}
void kx_write(void *P, std::size_t N) {
  TheMachine->access(P, N, Access::Write, CALLER);
}
bool kx_written(const void *P) { return TheMachine->Shared->isWritten(P); }
void kx_atomic(void *P, std::size_t N) {
  TheMachine->requireAligned(P, N, CALLER);
  TheMachine->access(P, N, Access::Atomic, CALLER);
}

void kx_copy_async(void *Dst, const void *Src, unsigned Bytes, unsigned Valid) {
  TheMachine->copyAsync(Dst, Src, Bytes, Valid, CALLER);
}
void kx_commit() { TheMachine->commit(); }
void kx_wait_prior(unsigned Groups) { TheMachine->waitPrior(Groups); }
void kx_wait_all() { TheMachine->waitAll(); }

std::uint32_t kx_shared_address(const void *Generic) {
  if (!TheMachine->Shared->contains(Generic))
    TheMachine->fail(Hazard::BadCopy, CALLER,
                     "shared address taken of what is not shared memory");
  return SharedWindow + std::uint32_t(TheMachine->Shared->offset(Generic));
}
void *kx_generic_address(std::uint64_t Address) {
  // A 32-bit shared address, or a generic one that was passed on.
  void *P = Address < (std::uint64_t(1) << 32)
                ? TheMachine->Shared->address(Address - SharedWindow)
                : reinterpret_cast<void *>(Address);
  return P;
}

void kx_register_module(char *Begin, char *End) {
  Module::Loading->SharedBegin = Begin;
  Module::Loading->SharedEnd = End;
}
void kx_register_case(const char *Name, void (*Body)()) {
  Module::Loading->Cases.push_back({Name, Body});
}
void kx_label(const char *Label) { TheMachine->startIteration(Label); }
void *kx_alloc(const char *Name, std::size_t Bytes) {
  return TheMachine->allocate(Name, Bytes);
}
void kx_release(void *P) { TheMachine->release(P); }
unsigned kx_stages() { return TheMachine->Stages; }
void kx_launch(uint3 Grid, uint3 Block, std::size_t DynamicShared,
               void (*Entry)(void *), void *Closure) {
  TheMachine->launch(Grid, Block, DynamicShared, Entry, Closure, CALLER);
}

// glibc's, which assert() calls: ours comes first in symbol lookup.
[[noreturn]] void __assert_fail(const char *What, const char *, unsigned,
                                const char *) noexcept {
  TheMachine->fail(Hazard::Assertion, CALLER,
                   std::string("assertion failed: ") + What);
}
[[noreturn]] void kx_unsupported(const char *What) {
  TheMachine->fail(Hazard::Unsupported, CALLER,
                   std::string(What) + " has no stand-in");
}
}
