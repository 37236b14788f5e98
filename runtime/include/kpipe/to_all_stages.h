// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::to_all_stages: every stage holds what the first one does.
//
// kpipe-inline: to_all_stages
#ifndef KPIPE_RUNTIME_TO_ALL_STAGES_H
#define KPIPE_RUNTIME_TO_ALL_STAGES_H

namespace kpipe {

/// Copies the __bytes bytes of shared memory at __first, a multiple of 16, to the
/// _Stages - 1 places of that size behind them. All threads of the block take
/// part; a barrier has to stand before and behind it.
template <int _Stages, typename _Tp>
__device__ void to_all_stages(_Tp *__first, int __bytes) {
  int4 *__from = (int4 *)__first;
  int __pieces = __bytes / 16;
  int __self =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int __threads = blockDim.x * blockDim.y * blockDim.z;
  for (int __i = __self; __i < __pieces; __i += __threads) {
    int4 __piece = __from[__i];
    for (int __stage = 1; __stage < _Stages; ++__stage)
      __from[__stage * __pieces + __i] = __piece;
  }
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TO_ALL_STAGES_H
// kpipe-inline: end
