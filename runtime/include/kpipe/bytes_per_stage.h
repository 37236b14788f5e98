// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::bytes_per_stage: how far apart the stages of dynamic shared memory
// lie, which is what the launch decided.
//
// kpipe-inline: bytes_per_stage
#ifndef KPIPE_RUNTIME_BYTES_PER_STAGE_H
#define KPIPE_RUNTIME_BYTES_PER_STAGE_H

namespace kpipe {

/// Bytes of one of _Stages stages in a kernel that was launched with
/// kpipe::staged_bytes<_Stages, _Multiple>(bytes), or with more: a multiple of
/// _Multiple.
template <int _Stages, int _Multiple = 128>
__device__ __forceinline__ int bytes_per_stage() {
  static_assert(_Stages >= 1, "kpipe::bytes_per_stage needs 1 or more stages");
  unsigned __bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(__bytes));
  return static_cast<int>(__bytes / (_Multiple * _Stages) * _Multiple);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_BYTES_PER_STAGE_H
// kpipe-inline: end
