// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::with_producer: the size of a block that has a warp or a warpgroup more
// than its author wrote, which brings the tiles.
//
// kpipe-inline: with_producer
#ifndef KPIPE_RUNTIME_WITH_PRODUCER_H
#define KPIPE_RUNTIME_WITH_PRODUCER_H

namespace kpipe {

/// The second argument of a launch: `k<<<grid, kpipe::with_producer(256)>>>`,
/// for blocks of one axis. `with_producer<128>` is for a warpgroup more.
template <unsigned _Threads = 32>
__host__ __device__ inline dim3 with_producer(dim3 __block) {
  __block.x += _Threads;
  return __block;
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_WITH_PRODUCER_H
// kpipe-inline: end
