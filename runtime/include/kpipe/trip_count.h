// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::trip_count: how often a counted loop runs.
//
// kpipe-inline: trip_count
#ifndef KPIPE_RUNTIME_TRIP_COUNT_H
#define KPIPE_RUNTIME_TRIP_COUNT_H

namespace kpipe {

/// Iterations of `for (i = __begin; i < __end; i += __step)`, for __step > 0,
/// in the type of their sum, in which `__end - __begin` must not overflow.
template <typename _Begin, typename _End, typename _Step>
__host__ __device__ constexpr auto trip_count(_Begin __begin, _End __end,
                                              _Step __step)
    -> decltype(__begin + __end + __step) {
  using _Tp = decltype(__begin + __end + __step);
  return static_cast<_Tp>(__begin) < static_cast<_Tp>(__end)
             ? (static_cast<_Tp>(__end) - static_cast<_Tp>(__begin) - 1) /
                       static_cast<_Tp>(__step) +
                   1
             : 0;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TRIP_COUNT_H
// kpipe-inline: end
