// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::next_stage: the stage that follows in a ring of S buffers.
//
// kpipe-inline: next_stage
#ifndef KPIPE_RUNTIME_NEXT_STAGE_H
#define KPIPE_RUNTIME_NEXT_STAGE_H

namespace kpipe {

/// The stage after `stage` in 0, 1, ..., S-1, 0, ...; without a division.
template <int S> __host__ __device__ constexpr int next_stage(int stage) {
  static_assert(S >= 1, "kpipe::next_stage needs a ring of 1 or more stages");
  return stage + 1 == S ? 0 : stage + 1;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_NEXT_STAGE_H
// kpipe-inline: end
