// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::thread_pipeline: a pipeline of each thread's own copies, without
// barriers: groups of cp.async. All architectures.
#ifndef KPIPE_ASYNC_THREAD_PIPELINE_H
#define KPIPE_ASYNC_THREAD_PIPELINE_H

#include "../commit.h"
#include "../wait_prior.h"

namespace kpipe {
namespace __detail {

/// wait_prior, whose number is part of the instruction, of one known at run
/// time: the least that is no less, _Most at most.
template <int _Most> struct __wait_prior {
  static __device__ __forceinline__ void __of(int __pending) {
    if (__pending >= _Most)
      wait_prior<_Most>();
    else
      __wait_prior<_Most - 1>::__of(__pending);
  }
};
template <> struct __wait_prior<0> {
  static __device__ __forceinline__ void __of(int) { wait_prior<0>(); }
};

} // namespace __detail

/// What a thread copied with copy_async, at most _Stages tiles ahead. It knows
/// nothing of other threads: a barrier stands between a wait and reads of what
/// others copied, and before a stage is copied into again. Commit and wait are
/// called by whole warps, also where nothing was copied; a commit under a
/// condition makes groups that the others wait for.
template <int _Stages> class thread_pipeline {
  static_assert(_Stages >= 1, "kpipe::thread_pipeline needs 1 or more stages");
  int __pending = 0;

public:
  static constexpr int stages = _Stages;

  /// Nothing to wait for: a barrier has said that the stage is free.
  __device__ __forceinline__ void producer_acquire() const {}
  /// Closes the group of the copies since the last commit: one tile.
  __device__ __forceinline__ void producer_commit() {
    commit();
    ++__pending;
  }
  /// Waits for the oldest tile that was committed and not waited for.
  __device__ __forceinline__ void consumer_wait() {
    if (__pending > 0)
      --__pending;
    __detail::__wait_prior<_Stages - 1>::__of(__pending);
  }
  /// Waits for all but the newest _Pending tiles.
  template <int _Pending>
  __device__ __forceinline__ void consumer_wait_prior() {
    wait_prior<_Pending>();
    if (__pending > _Pending)
      __pending = _Pending;
  }
  /// Nothing to say: a barrier says that the stage is free.
  __device__ __forceinline__ void consumer_release() const {}
  /// Nothing: nobody counts on this thread. Copies on their way still land.
  __device__ __forceinline__ void quit() const {}
};

} // namespace kpipe

#endif // KPIPE_ASYNC_THREAD_PIPELINE_H
