// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for kpipe::to_first_stage, for the runtime's header and for the text
// that --inline-runtime pastes, whose guard is taken here. What no tile wrote is
// copied by a GPU as well; here it stays unwritten, so that a read of it shows.
#ifndef KPIPE_RUNTIME_TO_FIRST_STAGE_H
#define KPIPE_RUNTIME_TO_FIRST_STAGE_H

#include "../cuda_runtime.h"

namespace kpipe {

template <typename T>
KX_INLINE void to_first_stage(T *First, int Distance, int Bytes) {
  if (Distance == 0)
    return;
  char *To = (char *)First;
  const char *From = To + Distance;
  unsigned Thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned Threads = blockDim.x * blockDim.y * blockDim.z;
  for (unsigned I = Thread; I < unsigned(Bytes); I += Threads)
    if (kx_written(From + I))
      To[I] = From[I];
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TO_FIRST_STAGE_H
