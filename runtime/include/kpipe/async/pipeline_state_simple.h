// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::pipeline_state_simple: pipeline_state in one integer.
#ifndef KPIPE_ASYNC_PIPELINE_STATE_SIMPLE_H
#define KPIPE_ASYNC_PIPELINE_STATE_SIMPLE_H

namespace kpipe {

/// One register: index + phase * _Stages, from 0 to 2*_Stages-1, which can be
/// handed over as a plain number. With one stage it is the parity.
template <int _Stages> class pipeline_state_simple {
  static_assert(_Stages >= 1,
                "kpipe::pipeline_state_simple needs 1 or more stages");
  unsigned __value;

public:
  static constexpr int stages = _Stages;

  /// \param __phase_index index + phase * _Stages: 0 for a consumer's start,
  /// _Stages for a producer's.
  __device__
      __forceinline__ explicit pipeline_state_simple(unsigned __phase_index)
      : __value(__phase_index) {}

  __device__ __forceinline__ unsigned phase_index() const { return __value; }
  __device__ __forceinline__ unsigned index() const {
    return __value < _Stages ? __value : __value - _Stages;
  }
  __device__ __forceinline__ unsigned phase() const {
    return __value < _Stages ? 0 : 1;
  }

  __device__ __forceinline__ void advance() {
    __value = __value + 1 == 2 * _Stages ? 0 : __value + 1;
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_PIPELINE_STATE_SIMPLE_H
