// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::block_sync, cluster_sync, no_sync: what follows the initialisation of
// a pipeline's barriers, the last argument of its constructor.
#ifndef KPIPE_ASYNC_INIT_SYNC_H
#define KPIPE_ASYNC_INIT_SYNC_H

#include "ptx/cluster.h"

namespace kpipe {

/// A barrier of the block: the default.
struct block_sync {
  __device__ __forceinline__ void operator()() const { __syncthreads(); }
};

/// A barrier of the cluster: where other blocks arrive or copy. sm_90.
struct cluster_sync {
  __device__ __forceinline__ void operator()() const {
    ptx::cluster_arrive();
    ptx::cluster_wait();
  }
};

/// Nothing: the kernel has such a barrier before anybody uses the pipeline, one
/// for several pipelines, say.
struct no_sync {
  __device__ __forceinline__ void operator()() const {}
};

} // namespace kpipe

#endif // KPIPE_ASYNC_INIT_SYNC_H
