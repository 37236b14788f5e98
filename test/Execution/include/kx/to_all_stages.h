// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for kpipe::to_all_stages, for the runtime's header and for the text
// that --inline-runtime pastes, whose guard is taken here. What nobody wrote is
// copied by a GPU as well; here it stays unwritten, so that a read of it shows.
#ifndef KPIPE_RUNTIME_TO_ALL_STAGES_H
#define KPIPE_RUNTIME_TO_ALL_STAGES_H

#include "../cuda_runtime.h"

namespace kpipe {

template <int Stages, typename T>
KX_INLINE void to_all_stages(T *First, int Bytes) {
  char *From = (char *)First;
  unsigned Thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned Threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned I = Thread; I < unsigned(Bytes); I += Threads)
    for (int Stage = 1; Stage < Stages; ++Stage)
      if (kx_written(From + I))
        From[Stage * Bytes + I] = From[I];
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TO_ALL_STAGES_H
