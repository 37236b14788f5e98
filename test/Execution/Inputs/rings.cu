// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings of stages between producers and consumers, with mbarriers: filled by
// threads, by cp.async, by bulk copies. Each kernel is sound as `Sound`; every
// other value of its parameter is one defect. See rings.test.
#include "hopper.h"

#include <cassert>
#include <cuda_runtime.h>

enum Defect {
  Sound,
  ProducerParity,
  ConsumerParity,
  CountLow,
  CountHigh,
  ArriveMissing,
  ArriveTwice,
  ReleaseEarly, // before the stage is read
  CommitEarly,  // before the stage is written
  InitUnseen,   // no barrier of the block behind the initialisation
  TailMissing,
  BytesLow,
  BytesHigh,
  FenceMissing,
  InitFenceMissing,
  QuitEarly,
  Undrained,
  PlainArrive, // not bound to the copies
  WriteBarrier,
  InitTwice,
};
// Where the fence is that is not missing.
enum FenceAt { InProducer, InConsumers, InBoth };

constexpr int Producers = 32, Consumers = 64, Tile = 64;

template <int S> struct Ring {
  alignas(16) int data[S][Tile];
  uint64_t full[S], empty[S];
};

template <int S>
__device__ inline void start(Ring<S> &r, int producers, int consumers, Defect d) {
  if (threadIdx.x == 0) {
    for (int s = 0; s < S; ++s) {
      mbar_init(&r.full[s], producers);
      mbar_init(&r.empty[s], consumers - (d == CountLow) + (d == CountHigh));
    }
    if (d == InitTwice)
      mbar_init(&r.full[0], producers);
    if (d == WriteBarrier)
      r.full[0] = 0;
    if (d != InitFenceMissing)
      fence_init();
  }
  if (d != InitUnseen)
    __syncthreads();
}

__device__ inline int expected(const int *x, int c, int tiles) {
  int sum = 0;
  for (int t = 0; t < tiles; ++t)
    sum += x[t * Tile + Tile - 1 - c];
  return sum;
}

template <int S, Defect D>
__device__ inline void consume(Ring<S> &r, const int *x, int *out, int tiles) {
  int c = threadIdx.x - Producers, sum = 0;
  for (int t = 0; t < tiles; ++t) {
    int s = t % S, phase = t / S & 1;
    wait(&r.full[s], phase ^ (D == ConsumerParity));
    if (D == ReleaseEarly)
      arrive(&r.empty[s]);
    sum += r.data[s][Tile - 1 - c];
    if (D != ReleaseEarly && !(D == ArriveMissing && c == 5))
      arrive(&r.empty[s]);
    if (D == ArriveTwice && c == 5)
      arrive(&r.empty[s]);
  }
  assert(D != Sound || sum == expected(x, c, tiles));
  out[c] = sum;
}

// Waits until all stages are free.
template <int S> __device__ inline void tail(Ring<S> &r, int tiles) {
  for (int t = tiles; t < tiles + S; ++t)
    wait(&r.empty[t % S], (t / S & 1) ^ 1);
}

template <int S, Defect D> __global__ void threads(const int *x, int *out, int tiles) {
  __shared__ Ring<S> r;
  start(r, Producers, Consumers, D);
  int p = threadIdx.x;
  if (p >= Producers)
    return consume<S, D>(r, x, out, tiles);
  for (int t = 0; t < tiles; ++t) {
    int s = t % S, phase = t / S & 1;
    wait(&r.empty[s], phase ^ (D != ProducerParity));
    if (D == CommitEarly)
      arrive(&r.full[s]);
    r.data[s][p] = x[t * Tile + p];
    r.data[s][p + 32] = x[t * Tile + p + 32];
    if (D != CommitEarly)
      arrive(&r.full[s]);
  }
  if (D != TailMissing)
    tail(r, tiles);
  for (int s = 0; s < S; ++s) // the memory is used for something else
    r.data[s][p] = p;
  out[Consumers + p] = r.data[0][p];
}

template <int S, Defect D> __global__ void cp_async(const int *x, int *out, int tiles) {
  __shared__ Ring<S> r;
  start(r, 16, Consumers, D);
  int p = threadIdx.x;
  if (p >= Producers)
    return consume<S, D>(r, x, out, tiles);
  if (p >= 16)
    return;
  for (int t = 0; t < tiles; ++t) {
    int s = t % S, phase = t / S & 1;
    wait(&r.empty[s], phase ^ (D != ProducerParity));
    cp_async16(&r.data[s][p * 4], &x[t * Tile + p * 4]);
    if (D == PlainArrive) {
      arrive(&r.full[s]);
    } else if (t % 2) {
      arrive_after_copies(&r.full[s]);
    } else {
      arrive_after_copies_counted(&r.full[s]);
      arrive(&r.full[s]);
    }
  }
  if (D == Undrained) {
    cp_async16(&r.data[0][p * 4], &x[p * 4]);
    arrive_after_copies(&r.full[0]);
  }
  if (D == PlainArrive)
    asm volatile("cp.async.wait_all;" ::: "memory");
}

template <int S, Defect D, FenceAt F = InBoth>
__global__ void bulk(const int *x, int *out, int tiles) {
  __shared__ Ring<S> r;
  start(r, 1, Consumers / 32, D);
  int c = int(threadIdx.x) - Producers, sum = 0;
  if (c < 0) {
    if (!elect_one())
      return;
    for (int t = 0; t < tiles + (D == Undrained); ++t) {
      int s = t % S, phase = t / S & 1, from = t < tiles ? t : 0;
      wait(&r.empty[s], phase ^ (D != ProducerParity));
      if (D != FenceMissing && F != InConsumers)
        fence_async();
      int bytes = Tile * 4 - 128 * (D == BytesLow) + 128 * (D == BytesHigh);
      bool after = t % 2; // both orders are seen
      if (!after)
        arrive_expect(&r.full[s], bytes);
      bulk_load(&r.data[s][0], &x[from * Tile], 128, &r.full[s]);
      bulk_load(&r.data[s][32], &x[from * Tile + 32], 128, &r.full[s]);
      if (after) {
        expect(&r.full[s], bytes);
        arrive(&r.full[s]);
      }
    }
    return;
  }
  for (int t = 0; t < tiles; ++t) {
    int s = t % S, phase = t / S & 1;
    wait(&r.full[s], phase ^ (D == ConsumerParity));
    bool arrives = c % 32 == 7 && !(D == ArriveMissing && c > 32);
    if (D == ReleaseEarly && arrives)
      arrive(&r.empty[s]);
    sum += r.data[s][Tile - 1 - c];
    if (D != FenceMissing && F != InProducer)
      fence_async();
    __syncwarp();
    if (D != ReleaseEarly && arrives)
      arrive(&r.empty[s]);
    if (D == ArriveTwice && c == 7)
      arrive(&r.empty[s]);
  }
  assert(D != Sound || sum == expected(x, c, tiles));
  out[c] = sum;
}

// Consumers that need fewer tiles leave for good.
template <int S, Defect D> __global__ void quit(const int *x, int *out, int tiles) {
  __shared__ Ring<S> r;
  start(r, Producers, Consumers, D);
  int p = threadIdx.x;
  if (p >= Producers) {
    int c = p - Producers, mine = c % 2 ? tiles : tiles / 2;
    consume<S, D>(r, x, out, mine);
    for (int s = 0; s < S && mine < tiles; ++s) {
      // A phase in which this thread has arrived already must be over.
      int arrived = mine > s ? (mine - 1 - s) / S + 1 : 0;
      if (arrived && D != QuitEarly)
        wait(&r.empty[s], (arrived - 1) & 1);
      arrive_drop(&r.empty[s]);
    }
    return;
  }
  for (int t = 0; t < tiles; ++t) {
    int s = t % S, phase = t / S & 1;
    wait(&r.empty[s], phase ^ 1);
    r.data[s][p] = x[t * Tile + p];
    r.data[s][p + 32] = x[t * Tile + p + 32];
    arrive(&r.full[s]);
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const int *, int *, int)) {
  auto x = in<int>("x", 9 * Tile);
  auto y = out<int>("out", Producers + Consumers);
  launch({2, Producers + Consumers}, kernel, x, y, 9);
}
#define RING(Name, ...) CASE(Name) { run(__VA_ARGS__); }
RING(threads_1_sound, threads<1, Sound>)
RING(threads_2_sound, threads<2, Sound>)
RING(threads_3_sound, threads<3, Sound>)
RING(threads_4_sound, threads<4, Sound>)
RING(cp_async_1_sound, cp_async<1, Sound>)
RING(cp_async_3_sound, cp_async<3, Sound>)
RING(cp_async_4_sound, cp_async<4, Sound>)
RING(bulk_1_sound, bulk<1, Sound>)
RING(bulk_2_sound, bulk<2, Sound>)
RING(bulk_3_sound, bulk<3, Sound, InProducer>)
RING(bulk_4_sound, bulk<4, Sound, InConsumers>)
RING(quit_1_sound, quit<1, Sound>)
RING(quit_3_sound, quit<3, Sound>)

RING(threads_producer_parity, threads<2, ProducerParity>)
RING(threads_consumer_parity, threads<2, ConsumerParity>)
RING(threads_count_low, threads<2, CountLow>)
RING(threads_count_high, threads<2, CountHigh>)
RING(threads_arrive_missing, threads<2, ArriveMissing>)
RING(threads_arrive_twice, threads<2, ArriveTwice>)
RING(threads_release_early, threads<2, ReleaseEarly>)
RING(threads_commit_early, threads<2, CommitEarly>)
RING(threads_init_unseen, threads<2, InitUnseen>)
RING(threads_tail_missing, threads<2, TailMissing>)
RING(threads_write_barrier, threads<2, WriteBarrier>)
RING(threads_init_twice, threads<2, InitTwice>)
RING(cp_async_producer_parity, cp_async<3, ProducerParity>)
RING(cp_async_consumer_parity, cp_async<3, ConsumerParity>)
RING(cp_async_plain_arrive, cp_async<3, PlainArrive>)
RING(cp_async_release_early, cp_async<3, ReleaseEarly>)
RING(cp_async_undrained, cp_async<3, Undrained>)
RING(bulk_producer_parity, bulk<2, ProducerParity>)
RING(bulk_consumer_parity, bulk<2, ConsumerParity>)
RING(bulk_bytes_low, bulk<2, BytesLow>)
RING(bulk_bytes_high, bulk<2, BytesHigh>)
RING(bulk_count_low, bulk<2, CountLow>)
RING(bulk_count_high, bulk<2, CountHigh>)
RING(bulk_arrive_missing, bulk<2, ArriveMissing>)
RING(bulk_arrive_twice, bulk<2, ArriveTwice>)
RING(bulk_release_early, bulk<2, ReleaseEarly>)
RING(bulk_fence_missing, bulk<2, FenceMissing>)
RING(bulk_init_fence_missing, bulk<2, InitFenceMissing, InConsumers>)
RING(bulk_undrained, bulk<2, Undrained>)
RING(quit_early, quit<2, QuitEarly>)
#endif
