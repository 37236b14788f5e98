// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::pipeline_storage: the barriers of a pipeline, in shared memory.
#ifndef KPIPE_ASYNC_PIPELINE_STORAGE_H
#define KPIPE_ASYNC_PIPELINE_STORAGE_H

#include <cstdint>

namespace kpipe {

/// 16 bytes a stage, `__shared__` or in dynamic shared memory at a multiple of
/// 8. Only the pipeline that was made with it touches it. Not for two
/// pipelines, nor for one after the other without ptx::mbarrier_inval.
template <int _Stages> struct alignas(8) pipeline_storage {
  static_assert(_Stages >= 1, "kpipe::pipeline_storage needs 1 or more stages");
  std::uint64_t full[_Stages];  ///< phases end when a stage has been filled
  std::uint64_t empty[_Stages]; ///< phases end when a stage has been read
};

} // namespace kpipe

#endif // KPIPE_ASYNC_PIPELINE_STORAGE_H
