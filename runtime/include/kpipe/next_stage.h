// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::next_stage: the stage that follows in a ring of S buffers.
//
// kpipe-inline: next_stage
#ifndef KPIPE_RUNTIME_NEXT_STAGE_H
#define KPIPE_RUNTIME_NEXT_STAGE_H

namespace kpipe {

/// The stage after the given one in 0, 1, ..., _Stages-1, 0, ...; no division.
template <int _Stages>
__host__ __device__ constexpr int next_stage(int __stage) {
  static_assert(_Stages >= 1,
                "kpipe::next_stage needs a ring of 1 or more stages");
  return __stage + 1 == _Stages ? 0 : __stage + 1;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_NEXT_STAGE_H
// kpipe-inline: end
