// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::previous_stage: the stage that comes before in a ring of S buffers,
// which is also the one that lies S-1 stages ahead.
//
// kpipe-inline: previous_stage
#ifndef KPIPE_RUNTIME_PREVIOUS_STAGE_H
#define KPIPE_RUNTIME_PREVIOUS_STAGE_H

namespace kpipe {

/// The stage before the given one in 0, 1, ..., _Stages-1, 0, ...; no division.
template <int _Stages>
__host__ __device__ constexpr int previous_stage(int __stage) {
  static_assert(_Stages >= 1,
                "kpipe::previous_stage needs a ring of 1 or more stages");
  return __stage == 0 ? _Stages - 1 : __stage - 1;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_PREVIOUS_STAGE_H
// kpipe-inline: end
