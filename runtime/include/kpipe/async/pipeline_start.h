// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::producer_start, kpipe::consumer_start: the states to begin with.
#ifndef KPIPE_ASYNC_PIPELINE_START_H
#define KPIPE_ASYNC_PIPELINE_START_H

#include "pipeline_state.h"

namespace kpipe {

/// A producer waits for parity 1 first, the phase before the first, which has
/// ended: its first _Stages acquires return at once.
template <int _Stages>
__device__ __forceinline__ pipeline_state<_Stages> producer_start() {
  return {0, 1};
}

/// A consumer waits for parity 0 first, the first phase, which the producers'
/// first commit ends.
template <int _Stages>
__device__ __forceinline__ pipeline_state<_Stages> consumer_start() {
  return {0, 0};
}

} // namespace kpipe

#endif // KPIPE_ASYNC_PIPELINE_START_H
