// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What orders threads besides rings of stages: numbered barriers, tokens and
// polls of mbarriers, elections, register budgets, bulk stores. Each kernel is
// sound as `Sound`; every other value is one defect. See order.test.
#include "hopper.h"

#include <cassert>
#include <cuda_runtime.h>

enum Defect {
  Sound,
  ArriveMissing,
  OtherCount,
  NoCount,
  SyncMissing,
  WaitMissing,
  WaitIgnored,
  OldToken,
  FenceMissing,
  TailMissing,
  WrongBudget,
  OneLane,
  Misaligned,
  WrongSize,
  OutOfBounds,
  OfUnwritten,
  Restart,
  ArriveLater,
};

// Two halves hand a slot to and fro with two barriers.
template <Defect D> __global__ void named(const int *x, int *out, int tiles) {
  __shared__ int slot[64];
  int tid = threadIdx.x, sum = 0;
  const int both = 128;
  for (int t = 0; t < tiles; ++t)
    if (tid < 64) {
      if (t && D != SyncMissing)
        named_sync(2, both);
      slot[tid] = x[t * 64 + tid];
      if (D != ArriveMissing || tid >= 32 || t < 3)
        named_arrive(1, D == OtherCount && tid < 32 ? 96 : D == NoCount ? 100 : both);
    } else {
      named_sync(1, both);
      sum += slot[127 - tid];
      if (t + 1 < tiles && D != SyncMissing)
        named_arrive(2, both);
    }
  out[tid] = sum;
}

// A block-wide exchange by tokens, then by polling.
template <Defect D> __global__ void tokens(const int *x, int *out, int tiles) {
  __shared__ int slot[128];
  __shared__ uint64_t bar;
  int tid = threadIdx.x, sum = 0;
  if (tid == 0)
    mbar_init(&bar, 128);
  __syncthreads();
  uint64_t first = 0;
  for (int t = 0; t < tiles; ++t) {
    slot[tid] = x[t * 64 + tid % 64];
    uint64_t state = arrive_token(&bar);
    if (t == 0)
      first = state;
    if (D == WaitIgnored)
      try_token(&bar, state);
    else if (D != WaitMissing)
      wait_token(&bar, D == OldToken && t == 2 ? first : state);
    sum += slot[tid ^ 64];
    arrive(&bar);
    poll(&bar, 1); // every second phase
  }
  __syncthreads();
  if (tid == 0 && D == Restart) {
    mbar_inval(&bar);
    arrive(&bar);
  }
  if (tid == 0 && D != Restart) {
    mbar_inval(&bar);
    mbar_init(&bar, 1);
    arrive(&bar);
    poll(&bar, 0);
  }
  out[tid] = sum;
}

__device__ inline void budget() { asm volatile("setmaxnreg.dec.sync.aligned.u32 40;"); }

// One elected lane of each warp; it is the same for all lanes.
template <Defect D> __global__ void elected(const int *x, int *out, int tiles) {
  __shared__ int count;
  if (D == WrongBudget)
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(100));
  budget();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  unsigned leader;
  asm volatile("{\n\t.reg .pred %%px;\n\telect.sync %0|%%px, %1;\n\t}"
               : "=r"(leader)
               : "r"(0xffffffff));
  assert(leader == 0);
  bool mine = D == OneLane ? threadIdx.x % 32 == 3 && elect_one() : elect_one();
  assert(mine == (threadIdx.x % 32 == leader));
  if (mine)
    atomicAdd(&count, 1);
  __syncthreads();
  assert(count == int(blockDim.x) / 32);
  out[threadIdx.x] = count;
}

// Tiles go through shared memory and leave as bulk stores, two under way.
template <Defect D> __global__ void stores(const int *x, int *out, int tiles) {
  __shared__ alignas(16) int stage[2][64];
  int tid = threadIdx.x;
  for (int t = 0; t < tiles; ++t) {
    if (tid == 0 && D != WaitMissing)
      store_wait_read<1>();
    __syncthreads();
    if (tid < 64 && (D != OfUnwritten || tid != 9))
      stage[t % 2][tid] = x[t * 64 + tid] + 1;
    if (D != FenceMissing)
      fence_async();
    __syncthreads();
    if (tid == 0) {
      bulk_store(out + t * 64 + (D == OutOfBounds && t + 1 == tiles ? 4 : 0) + (D == Misaligned),
                 stage[t % 2], D == WrongSize ? 200 : 256);
      store_commit();
    }
  }
  if (tid == 0 && D != TailMissing)
    store_wait_read<0>();
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const int *, int *, int)) {
  auto x = in<int>("x", 6 * 64);
  auto y = out<int>("out", 6 * 64);
  launch({2, 128}, kernel, x, y, 6);
}
static void run_once(void (*kernel)(const int *, int *, int)) {
  auto x = in<int>("x", 6 * 64);
  auto y = out<int>("out", 6 * 64);
  launch({1, 128}, kernel, x, y, 6);
}
#define RING(Name, ...) CASE(Name) { run(__VA_ARGS__); }
RING(named_sound, named<Sound>)
RING(named_arrive_missing, named<ArriveMissing>)
RING(named_other_count, named<OtherCount>)
RING(named_no_count, named<NoCount>)
RING(named_sync_missing, named<SyncMissing>)
RING(tokens_sound, tokens<Sound>)
RING(tokens_wait_missing, tokens<WaitMissing>)
RING(tokens_wait_ignored, tokens<WaitIgnored>)
RING(tokens_old, tokens<OldToken>)
RING(tokens_restart, tokens<Restart>)
RING(elected_sound, elected<Sound>)
RING(elected_budget, elected<WrongBudget>)
RING(elected_one_lane, elected<OneLane>)
#undef RING
#define RING(Name, ...) CASE(Name) { run_once(__VA_ARGS__); }
RING(stores_sound, stores<Sound>)
RING(stores_wait_missing, stores<WaitMissing>)
RING(stores_fence_missing, stores<FenceMissing>)
RING(stores_tail_missing, stores<TailMissing>)
RING(stores_misaligned, stores<Misaligned>)
RING(stores_size, stores<WrongSize>)
RING(stores_bounds, stores<OutOfBounds>)
RING(stores_of_unwritten, stores<OfUnwritten>)
#endif
