// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::pipeline_producer and pipeline_consumer: the two sides of a pipeline,
// each with a state of its own, so that a kernel need not keep one. Each thread
// has its own objects; only those that are used cost registers.
#ifndef KPIPE_ASYNC_PARTICIPANTS_H
#define KPIPE_ASYNC_PARTICIPANTS_H

#include "pipeline_start.h"
#include "token.h"
#include <cstdint>

namespace kpipe {

/// A stage that was acquired.
template <class _Pipeline> class producer_handle {
  const _Pipeline &__pipe;
  unsigned __at;

public:
  __device__ __forceinline__ producer_handle(const _Pipeline &__of,
                                             unsigned __index)
      : __pipe(__of), __at(__index) {}
  /// The stage, 0 to S-1.
  __device__ __forceinline__ unsigned index() const { return __at; }
  /// Where bulk and tensor copies count their bytes.
  __device__ __forceinline__ std::uint64_t *barrier() const {
    return __pipe.producer_barrier(__at);
  }
  /// The stage is filled. Once for each handle.
  __device__ __forceinline__ void commit() const {
    __pipe.producer_commit(__at);
  }
};

/// A stage that is full.
template <class _Pipeline> class consumer_handle {
  const _Pipeline &__pipe;
  unsigned __at;

public:
  __device__ __forceinline__ consumer_handle(const _Pipeline &__of,
                                             unsigned __index)
      : __pipe(__of), __at(__index) {}
  /// The stage, 0 to S-1.
  __device__ __forceinline__ unsigned index() const { return __at; }
  /// The caller reads the stage no more. Once for each handle.
  __device__ __forceinline__ void release() const {
    __pipe.consumer_release(__at);
  }
};

/// Acquires, fills and commits stages in turn.
template <class _Pipeline> class pipeline_producer {
  const _Pipeline &__pipe;
  typename _Pipeline::state __next;
  unsigned __last = 0;

public:
  using handle = producer_handle<_Pipeline>;

  __device__ __forceinline__ explicit pipeline_producer(const _Pipeline &__of)
      : __pipe(__of), __next(producer_start<_Pipeline::stages>()) {}

  /// Is the next stage free? Asks at most __tries times and hands what it found
  /// to acquire.
  __device__ __forceinline__ token try_acquire(unsigned __tries = 1) const {
    return __pipe.producer_try_acquire(__next, __tries);
  }
  /// Waits for the next stage, without moving on.
  __device__ __forceinline__ handle acquire(token __known = token::again) {
    __pipe.producer_acquire(__next, __known);
    __last = __next.index();
    return handle(__pipe, __last);
  }
  /// \param __extra_tx bytes more than usual that are copied into this stage.
  __device__ __forceinline__ handle acquire(token __known,
                                            unsigned __extra_tx) {
    __pipe.producer_acquire(__next, __known, __extra_tx);
    __last = __next.index();
    return handle(__pipe, __last);
  }
  __device__ __forceinline__ void advance() { __next.advance(); }
  __device__ __forceinline__ handle
  acquire_and_advance(token __known = token::again) {
    handle __stage = acquire(__known);
    advance();
    return __stage;
  }
  __device__ __forceinline__ handle acquire_and_advance(token __known,
                                                        unsigned __extra_tx) {
    handle __stage = acquire(__known, __extra_tx);
    advance();
    return __stage;
  }
  __device__ __forceinline__ void commit(const handle &__stage) const {
    __stage.commit();
  }
  /// The stage that was acquired last is filled.
  __device__ __forceinline__ void commit() const {
    __pipe.producer_commit(__last);
  }
  /// Waits until all that was committed has been released.
  __device__ __forceinline__ void tail() const { __pipe.producer_tail(__next); }
  /// Leaves for good, see basic_pipeline::producer_quit.
  __device__ __forceinline__ void quit() const { __pipe.producer_quit(__next); }
  /// What would be acquired next.
  __device__ __forceinline__ const typename _Pipeline::state &state() const {
    return __next;
  }
};

/// Waits for, reads and releases stages in turn.
template <class _Pipeline> class pipeline_consumer {
  const _Pipeline &__pipe;
  typename _Pipeline::state __next;
  unsigned __last = 0;

public:
  using handle = consumer_handle<_Pipeline>;

  __device__ __forceinline__ explicit pipeline_consumer(const _Pipeline &__of)
      : __pipe(__of), __next(consumer_start<_Pipeline::stages>()) {}

  /// Is the next stage full? Asks at most __tries times and hands what it found
  /// to wait.
  __device__ __forceinline__ token try_wait(unsigned __tries = 1) const {
    return __pipe.consumer_try_wait(__next, __tries);
  }
  /// Waits for the next stage, without moving on.
  __device__ __forceinline__ handle wait(token __known = token::again) {
    __pipe.consumer_wait(__next, __known);
    __last = __next.index();
    return handle(__pipe, __last);
  }
  __device__ __forceinline__ void advance() { __next.advance(); }
  __device__ __forceinline__ handle
  wait_and_advance(token __known = token::again) {
    handle __stage = wait(__known);
    advance();
    return __stage;
  }
  __device__ __forceinline__ void release(const handle &__stage) const {
    __stage.release();
  }
  /// The stage that was waited for last is read no more.
  __device__ __forceinline__ void release() const {
    __pipe.consumer_release(__last);
  }
  /// Leaves for good, see basic_pipeline::consumer_quit.
  __device__ __forceinline__ void quit() const { __pipe.consumer_quit(__next); }
  /// What would be waited for next.
  __device__ __forceinline__ const typename _Pipeline::state &state() const {
    return __next;
  }
};

/// Both: `auto both = kpipe::make_participants(pipe);`, in C++17
/// `auto [producer, consumer] = …`. They refer to the pipeline, which outlives
/// them.
template <class _Pipeline> struct participants {
  pipeline_producer<_Pipeline> producer;
  pipeline_consumer<_Pipeline> consumer;
};

/// Both sides of a pipeline, at their starts.
template <class _Pipeline>
__device__ __forceinline__ participants<_Pipeline>
make_participants(const _Pipeline &__of) {
  return {pipeline_producer<_Pipeline>(__of),
          pipeline_consumer<_Pipeline>(__of)};
}

} // namespace kpipe

#endif // KPIPE_ASYNC_PARTICIPANTS_H
