// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::trip_count: how often a counted loop runs.
//
// kpipe-inline: trip_count
#ifndef KPIPE_RUNTIME_TRIP_COUNT_H
#define KPIPE_RUNTIME_TRIP_COUNT_H

namespace kpipe {

/// Iterations of `for (i = begin; i < end; i += step)`, for step > 0. Computed
/// in the type of `begin + end + step`, in which `end - begin` must not
/// overflow.
template <typename Begin, typename End, typename Step>
__host__ __device__ constexpr auto trip_count(Begin begin, End end, Step step)
    -> decltype(begin + end + step) {
  using T = decltype(begin + end + step);
  return static_cast<T>(begin) < static_cast<T>(end)
             ? (static_cast<T>(end) - static_cast<T>(begin) - 1) /
                       static_cast<T>(step) +
                   1
             : 0;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TRIP_COUNT_H
// kpipe-inline: end
