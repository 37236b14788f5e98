// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::basic_pipeline: a ring of stages that producers fill and consumers
// read. It waits and counts phases; _Producer and _Consumer say who arrives,
// and how. The stages themselves are the kernel's.
//
//             producer_acquire  producer_commit  consumer_wait consumer_release
//   full[i]   (TMA: arrives)    arrives          waits
//   empty[i]  waits                                             arrives
//
// In each phase each producer acquires and commits a stage once, each consumer
// waits for it and releases it once, and all go through the stages in the same
// order. Anything else is undefined: an arrival too many or too few breaks or
// hangs the ring. Nothing here keeps a kernel from deadlocking: a thread that
// is both producer and consumer must not acquire more than S stages that it has
// not released.
//
// What a _Producer has: arrivals(), acquired(full, extra_tx), commit(full),
// counts_bytes, may_quit and then quit(full). A _Consumer: arrivals(),
// waited(), release(empty), in_cluster, may_quit and then quit(empty).
#ifndef KPIPE_ASYNC_BASIC_PIPELINE_H
#define KPIPE_ASYNC_BASIC_PIPELINE_H

#include "init_sync.h"
#include "participants.h"
#include "pipeline_start.h"
#include "pipeline_state_simple.h"
#include "pipeline_storage.h"
#include "ptx/cluster.h"
#include "ptx/fence.h"
#include "ptx/mbarrier.h"
#include "ptx/mbarrier_wait.h"
#include "token.h"

namespace kpipe {

namespace __detail {

/// Asks the barrier of a stage, at which threads of this block arrive, or of
/// several.
template <bool _InCluster> struct __asker {
  static __device__ __forceinline__ bool __ready(std::uint64_t *__barrier,
                                                 unsigned __parity) {
    return ptx::mbarrier_try(__barrier, __parity);
  }
};
template <> struct __asker<true> {
  static __device__ __forceinline__ bool __ready(std::uint64_t *__barrier,
                                                 unsigned __parity) {
    return ptx::mbarrier_try_cluster(__barrier, __parity);
  }
};

} // namespace __detail

template <int _Stages, class _Producer, class _Consumer> class basic_pipeline {
  static_assert(_Stages >= 1, "a kpipe pipeline needs 1 or more stages");
  pipeline_storage<_Stages> &__bars;
  _Producer __producer;
  _Consumer __consumer;

public:
  static constexpr int stages = _Stages;
  using state = pipeline_state<_Stages>;

  /// Initialises the barriers. All threads of the block construct it together,
  /// also those that take no part, with the same arguments; one thread writes.
  /// \param __then block_sync, cluster_sync or no_sync.
  template <class _Sync = block_sync>
  __device__ __forceinline__
  basic_pipeline(pipeline_storage<_Stages> &__storage, _Producer __by,
                 _Consumer __of = _Consumer(), _Sync __then = _Sync())
      : __bars(__storage), __producer(__by), __consumer(__of) {
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
      for (int __i = 0; __i < _Stages; ++__i) {
        ptx::mbarrier_init(&__bars.full[__i], __producer.arrivals());
        ptx::mbarrier_init(&__bars.empty[__i], __consumer.arrivals());
      }
      ptx::fence_mbarrier_init();
    }
    __then();
  }

  // By stage and parity.

  /// Is the stage free? Asks at most __tries times, once if not told.
  __device__ __forceinline__ token producer_try_acquire(
      unsigned __index, unsigned __phase, unsigned __tries = 1) const {
    return __ask<_Consumer::in_cluster>(&__bars.empty[__index], __phase,
                                        __tries);
  }
  /// Waits until all consumers have released the stage, unless __known says so.
  __device__ __forceinline__ void
  producer_acquire(unsigned __index, unsigned __phase,
                   token __known = token::again) const {
    __wait<_Consumer::in_cluster>(&__bars.empty[__index], __phase, __known);
    __producer.acquired(&__bars.full[__index], 0);
  }
  /// The same, for a stage into which __extra_tx bytes more are copied.
  __device__ __forceinline__ void producer_acquire(unsigned __index,
                                                   unsigned __phase,
                                                   token __known,
                                                   unsigned __extra_tx) const {
    static_assert(_Producer::counts_bytes,
                  "only a pipeline that TMA fills counts bytes");
    __wait<_Consumer::in_cluster>(&__bars.empty[__index], __phase, __known);
    __producer.acquired(&__bars.full[__index], __extra_tx);
  }
  /// What the caller has written, or begun to copy, fills the stage.
  __device__ __forceinline__ void producer_commit(unsigned __index) const {
    __producer.commit(&__bars.full[__index]);
  }
  /// Where a bulk or tensor copy into the stage counts its bytes.
  __device__ __forceinline__ std::uint64_t *
  producer_barrier(unsigned __index) const {
    return &__bars.full[__index];
  }
  /// Is the stage full? Asks at most __tries times, once if not told.
  __device__ __forceinline__ token consumer_try_wait(
      unsigned __index, unsigned __phase, unsigned __tries = 1) const {
    return __ask<false>(&__bars.full[__index], __phase, __tries);
  }
  /// Waits until all producers have filled the stage, unless __known says so.
  __device__ __forceinline__ void
  consumer_wait(unsigned __index, unsigned __phase,
                token __known = token::again) const {
    __wait<false>(&__bars.full[__index], __phase, __known);
    __consumer.waited();
  }
  /// The caller reads the stage no more.
  __device__ __forceinline__ void consumer_release(unsigned __index) const {
    __consumer.release(&__bars.empty[__index]);
  }

  // By state.

  template <typename _State, int = _State::stages>
  __device__ __forceinline__ token
  producer_try_acquire(const _State &__at, unsigned __tries = 1) const {
    return producer_try_acquire(__own(__at).index(), __at.phase(), __tries);
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void
  producer_acquire(const _State &__at, token __known = token::again) const {
    producer_acquire(__own(__at).index(), __at.phase(), __known);
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void producer_acquire(const _State &__at,
                                                   token __known,
                                                   unsigned __extra_tx) const {
    producer_acquire(__own(__at).index(), __at.phase(), __known, __extra_tx);
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void producer_commit(const _State &__at) const {
    producer_commit(__own(__at).index());
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ std::uint64_t *
  producer_barrier(const _State &__at) const {
    return producer_barrier(__own(__at).index());
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ token
  consumer_try_wait(const _State &__at, unsigned __tries = 1) const {
    return consumer_try_wait(__own(__at).index(), __at.phase(), __tries);
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void
  consumer_wait(const _State &__at, token __known = token::again) const {
    consumer_wait(__own(__at).index(), __at.phase(), __known);
  }
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void consumer_release(const _State &__at) const {
    consumer_release(__own(__at).index());
  }

  // The end.

  /// Waits until the consumers have released all that was committed, __next
  /// being what would be acquired next. Before shared memory is used for
  /// something else, and, in a cluster, before the block ends: no arrival and
  /// no copy comes afterwards.
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void producer_tail(_State __next) const {
    for (int __i = 0; __i < _Stages; ++__i, __next.advance())
      __wait<_Consumer::in_cluster>(&__bars.empty[__own(__next).index()],
                                    __next.phase(), token::again);
  }

  /// Leaves for good; later phases do without the caller. __next is what it
  /// would have acquired next; what it has acquired it has committed. It waits
  /// for the phases in which it has arrived: dropping out would be a second
  /// arrival in one that has not ended. One producer at least stays.
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void producer_quit(const _State &__next) const {
    static_assert(_Producer::may_quit, "this kpipe producer cannot quit");
    unsigned __at = __own(__next).index(), __phase = __next.phase();
    for (unsigned __i = 0; __i < _Stages; ++__i) {
      // A producer's parity is the opposite of that of the full phase which its
      // commit ends.
      __wait<false>(&__bars.full[__i], __i < __at ? __phase ^ 1 : __phase,
                    token::again);
      __producer.quit(&__bars.full[__i]);
    }
  }
  /// The same for a consumer; __next is what it would have waited for next, and
  /// what it has waited for it has released.
  template <typename _State, int = _State::stages>
  __device__ __forceinline__ void consumer_quit(const _State &__next) const {
    static_assert(_Consumer::may_quit, "this kpipe consumer cannot quit");
    unsigned __at = __own(__next).index(), __phase = __next.phase();
    for (unsigned __i = 0; __i < _Stages; ++__i) {
      __wait<false>(&__bars.empty[__i], __i < __at ? __phase : __phase ^ 1,
                    token::again);
      __consumer.quit(&__bars.empty[__i]);
    }
  }

  /// A producer and a consumer that keep their own states.
  __device__ __forceinline__ participants<basic_pipeline>
  make_participants() const {
    return {pipeline_producer<basic_pipeline>(*this),
            pipeline_consumer<basic_pipeline>(*this)};
  }

private:
  template <typename _State>
  __device__ __forceinline__ static const _State &__own(const _State &__at) {
    static_assert(_State::stages == _Stages,
                  "the state belongs to a pipeline of other stages");
    return __at;
  }
  template <bool _InCluster>
  __device__ __forceinline__ static token
  __ask(std::uint64_t *__barrier, unsigned __phase, unsigned __tries) {
    if (!_InCluster && __tries == 1)
      return ptx::mbarrier_test(__barrier, __phase) ? token::done
                                                    : token::again;
    for (; __tries != 0; --__tries)
      if (__detail::__asker<_InCluster>::__ready(__barrier, __phase))
        return token::done;
    return token::again;
  }
  template <bool _InCluster>
  __device__ __forceinline__ static void
  __wait(std::uint64_t *__barrier, unsigned __phase, token __known) {
    if (__known == token::again)
      while (!__detail::__asker<_InCluster>::__ready(__barrier, __phase))
        ;
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_BASIC_PIPELINE_H
