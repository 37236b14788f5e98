// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::staged_bytes: how many bytes of dynamic shared memory a launch asks
// for when the kernel keeps S stages of what it had once.
//
// kpipe-inline: staged_bytes
#ifndef KPIPE_RUNTIME_STAGED_BYTES_H
#define KPIPE_RUNTIME_STAGED_BYTES_H

namespace kpipe {

/// The third argument of a launch: `k<<<grid, block,
/// kpipe::staged_bytes<S>(bytes)>>>`, where bytes are those of one stage. A
/// stage begins at a multiple of 128 bytes, so that it is aligned, and lies in
/// the banks, as the first; swizzled tiles of the copy engine want 1024. The
/// kernel asks kpipe::bytes_per_stage<S>().
/// What is narrower than an int is counted as an int.
template <int _Stages, int _Multiple = 128, typename _Count>
__host__ __device__ constexpr auto staged_bytes(_Count __bytes)
    -> decltype(__bytes + 0) {
  static_assert(_Stages >= 1, "kpipe::staged_bytes needs 1 or more stages");
  return (__bytes + (_Multiple - 1)) / _Multiple * _Multiple * _Stages;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_STAGED_BYTES_H
// kpipe-inline: end
