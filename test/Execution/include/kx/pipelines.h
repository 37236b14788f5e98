// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for cuda::pipeline: commit groups where a thread has its own, and
// two barriers for each stage where threads share one.
#pragma once

#include "atomics.h"
#include "barrier_objects.h"

namespace cuda {
enum class pipeline_role { producer, consumer };

template <thread_scope Scope, ::std::uint8_t Stages>
struct alignas(8) pipeline_shared_state {
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;
  pipeline_shared_state &operator=(const pipeline_shared_state &) = delete;
  ::std::uint64_t kx_produced[Stages], kx_consumed[Stages];
  unsigned kx_producers;
};

template <thread_scope Scope> class pipeline {
  ::std::uint64_t *Produced, *Consumed;
  unsigned Stages, Head = 0, Tail = 0;
  bool ConsumedParity = true, ProducedParity = false;

public:
  KX_INLINE pipeline(::std::uint64_t *P, ::std::uint64_t *C, unsigned S)
      : Produced(P), Consumed(C), Stages(S) {}
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  KX_SYNC void producer_acquire() {
    kx_barrier_wait(&Consumed[Head], ConsumedParity, 1);
  }
  KX_SYNC void producer_commit() {
    kx_barrier_copies(&Produced[Head], 0);
    kx_barrier_arrive(&Produced[Head], 1, 0);
    if (++Head == Stages) {
      Head = 0;
      ConsumedParity = !ConsumedParity;
    }
  }
  KX_SYNC void consumer_wait() {
    kx_barrier_wait(&Produced[Tail], ProducedParity, 1);
  }
  KX_SYNC void consumer_release() {
    kx_barrier_arrive(&Consumed[Tail], 1, 0);
    if (++Tail == Stages) {
      Tail = 0;
      ProducedParity = !ProducedParity;
    }
  }
  template <class Duration> KX_SYNC bool consumer_wait_for(const Duration &) {
    return kx_barrier_test(&Produced[Tail], ProducedParity, 1);
  }
  template <class Time> KX_SYNC bool consumer_wait_until(const Time &) {
    return kx_barrier_test(&Produced[Tail], ProducedParity, 1);
  }
  KX_INLINE bool quit() { return false; }
};

template <> class pipeline<thread_scope_thread> {
  unsigned Head = 0, Tail = 0;

public:
  pipeline() = default;
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  KX_INLINE void producer_acquire() {}
  KX_INLINE void producer_commit() {
    kx_commit();
    ++Head;
  }
  KX_INLINE void consumer_wait() {
    if (Head != Tail)
      kx_wait_prior(Head - Tail++ - 1);
  }
  KX_INLINE void consumer_release() {}
  template <class Duration> KX_INLINE bool consumer_wait_for(const Duration &) {
    consumer_wait();
    return true;
  }
  template <class Time> KX_INLINE bool consumer_wait_until(const Time &) {
    consumer_wait();
    return true;
  }
  KX_INLINE bool quit() { return true; }
  KX_INLINE void kx_waited(unsigned Prior) { Tail = Head - Prior; }
};

KX_INLINE pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <::std::uint8_t Prior>
KX_INLINE void
pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &Pipe) {
  kx_wait_prior(Prior);
  Pipe.kx_waited(Prior);
}
template <thread_scope Scope>
KX_SYNC void pipeline_producer_commit(pipeline<thread_scope_thread> &,
                                      barrier<Scope> &B) {
  kx_barrier_copies(&B, 0);
}

template <class Group, thread_scope Scope, ::std::uint8_t Stages>
KX_SYNC pipeline<Scope>
make_pipeline(const Group &G, pipeline_shared_state<Scope, Stages> *State,
              ::std::size_t Producers) {
  // As many consumers as there are others; all are both where nobody is.
  if (G.thread_rank() == 0)
    for (unsigned I = 0; I < Stages; ++I) {
      kx_barrier_init(&State->kx_produced[I],
                      unsigned(Producers ? Producers : G.size()));
      kx_barrier_init(&State->kx_consumed[I], unsigned(G.size() - Producers));
    }
  G.sync();
  return {State->kx_produced, State->kx_consumed, Stages};
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
KX_SYNC pipeline<Scope>
make_pipeline(const Group &G, pipeline_shared_state<Scope, Stages> *State) {
  return make_pipeline(G, State, ::std::size_t(0));
}
template <class Group, thread_scope Scope, ::std::uint8_t Stages>
KX_SYNC pipeline<Scope>
make_pipeline(const Group &G, pipeline_shared_state<Scope, Stages> *State,
              pipeline_role Role) {
  if (G.thread_rank() == 0)
    State->kx_producers = 0;
  G.sync();
  if (Role == pipeline_role::producer)
    atomicAdd(&State->kx_producers, 1u);
  G.sync();
  unsigned Producers = State->kx_producers;
  return make_pipeline(G, State, ::std::size_t(Producers));
}
} // namespace cuda

namespace kx {
template <std::size_t Align, typename Group, cuda::thread_scope S>
KX_INLINE cuda::async_contract_fulfillment
copyInto(const Group &G, void *Dst, const void *Src, std::size_t Bytes,
         cuda::pipeline<S> &) {
  return copyByGroup<Align>(G, static_cast<char *>(Dst),
                            static_cast<const char *>(Src), Bytes)
             ? cuda::async
             : cuda::none;
}
} // namespace kx

namespace cuda {
KX_MEMCPY_ASYNC(thread_scope KX_SCOPE, pipeline<KX_SCOPE>)
} // namespace cuda
