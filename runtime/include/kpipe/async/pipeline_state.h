// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::pipeline_state: where in the ring a producer or a consumer is, and
// which parity it waits for there.
#ifndef KPIPE_ASYNC_PIPELINE_STATE_H
#define KPIPE_ASYNC_PIPELINE_STATE_H

namespace kpipe {

/// Three registers, no division. Begins as producer_start or consumer_start
/// say; every thread of a group has its own, and all advance alike.
template <int _Stages> class pipeline_state {
  static_assert(_Stages >= 1, "kpipe::pipeline_state needs 1 or more stages");
  unsigned __index, __phase, __count;

public:
  static constexpr int stages = _Stages;

  /// \param __at stage, 0 to _Stages-1; \param __parity 0 or 1.
  __device__ __forceinline__ pipeline_state(unsigned __at, unsigned __parity,
                                            unsigned __passed = 0)
      : __index(__at), __phase(__parity), __count(__passed) {}

  /// The stage, 0 to _Stages-1.
  __device__ __forceinline__ unsigned index() const { return __index; }
  /// The parity to wait for at that stage.
  __device__ __forceinline__ unsigned phase() const { return __phase; }
  /// How often advance() was called, modulo 2^32.
  __device__ __forceinline__ unsigned count() const { return __count; }

  /// On to the next stage; the parity flips where the ring begins again, with
  /// one stage each time.
  __device__ __forceinline__ void advance() {
    ++__count;
    if (++__index == _Stages) {
      __index = 0;
      __phase ^= 1;
    }
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_PIPELINE_STATE_H
