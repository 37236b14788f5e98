// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The five pipelines, by who fills a stage and who reads it:
//
//   class                full: who arrives             empty: who arrives
//   pipeline_async       producer threads, or a lane   consumer threads, or a
//                        for its warp                  lane for its warp
//   pipeline_cp_async    each producer thread, when    the same
//                        its copies have landed
//   pipeline_tma_async   each issuer in acquire, and   a lane for its warp, or
//                        the bytes                     each thread
//   pipeline_tma_umma    the same                      tcgen05.commit, once
//   pipeline_umma_async  tcgen05.commit, once          consumer threads, or a
//                                                      lane for its warp
//
// A producer waits for the parity of empty that its state says, 1 at first, and
// a consumer for that of full, 0 at first. docs/pipeline-classes.md has the
// contracts.
#ifndef KPIPE_ASYNC_PIPELINES_H
#define KPIPE_ASYNC_PIPELINES_H

#include "basic_pipeline.h"
#include "cluster_consumer.h"
#include "cp_async_producer.h"
#include "tensor_memory_consumer.h"
#include "thread_consumer.h"
#include "thread_producer.h"
#include "tma_producer.h"
#include "umma_consumer.h"
#include "umma_producer.h"

namespace kpipe {

/// Threads fill with plain stores, threads read. sm_80.
/// `pipe(storage, kpipe::warps(1), kpipe::warps(4))`: producers, consumers.
template <int _Stages, class _Arrivals = thread_arrivals>
using pipeline_async =
    basic_pipeline<_Stages, thread_producer<_Arrivals>,
                   thread_consumer<_Arrivals, /*refilled by copies=*/false>>;

/// Threads fill with copy_async, threads read. sm_80.
/// `pipe(storage, kpipe::warps(1), kpipe::warps(4))`: producers, consumers.
template <int _Stages, class _Arrivals = thread_arrivals>
using pipeline_cp_async = basic_pipeline<_Stages, cp_async_producer<_Arrivals>,
                                         thread_consumer<_Arrivals>>;

/// The copy engine fills, threads read. sm_90.
/// `pipe(storage, bytes of a stage, kpipe::warps(4))`: producer, consumers.
template <int _Stages, class _Arrivals = arrivals<false, true, true, true>>
using pipeline_tma_async = basic_pipeline<_Stages, tma_producer<_Arrivals>,
                                          thread_consumer<_Arrivals>>;

/// The same, where copies go to several blocks of a cluster. sm_90.
/// `pipe(storage, bytes, {kpipe::warps(4), mask}, kpipe::cluster_sync())`.
template <int _Stages, class _Arrivals = thread_arrivals>
using pipeline_tma_async_cluster =
    basic_pipeline<_Stages, tma_producer<_Arrivals>,
                   cluster_consumer<_Arrivals>>;

/// The copy engine fills, tcgen05.mma reads. sm_100a.
/// `pipe(storage, bytes of a stage)`.
template <int _Stages, class _Arrivals = thread_arrivals>
using pipeline_tma_umma =
    basic_pipeline<_Stages, tma_producer<_Arrivals>, umma_consumer<_Arrivals>>;

/// tcgen05.mma fills tensor memory, warps read it. sm_100a.
/// `pipe(storage, {}, kpipe::warps(4))`.
template <int _Stages, class _Arrivals = thread_arrivals>
using pipeline_umma_async = basic_pipeline<_Stages, umma_producer<_Arrivals>,
                                           tensor_memory_consumer<_Arrivals>>;

} // namespace kpipe

#endif // KPIPE_ASYNC_PIPELINES_H
