// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::previous_stage: the stage that comes before in a ring of S buffers,
// which is also the one that lies S-1 stages ahead.
//
// kpipe-inline: previous_stage
#ifndef KPIPE_RUNTIME_PREVIOUS_STAGE_H
#define KPIPE_RUNTIME_PREVIOUS_STAGE_H

namespace kpipe {

/// The stage before `stage` in 0, 1, ..., S-1, 0, ...; without a division.
template <int S> __host__ __device__ constexpr int previous_stage(int stage) {
  static_assert(S >= 1,
                "kpipe::previous_stage needs a ring of 1 or more stages");
  return stage == 0 ? S - 1 : stage - 1;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_PREVIOUS_STAGE_H
// kpipe-inline: end
