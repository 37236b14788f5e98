// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::arrivals: who of a group arrives at a barrier, as a policy of the
// pipelines: every thread, or one elected lane for its warp.
#ifndef KPIPE_ASYNC_ARRIVALS_H
#define KPIPE_ASYNC_ARRIVALS_H

#include "group.h"
#include "ptx/elect_one.h"
#include "ptx/mbarrier.h"

namespace kpipe {

/// _Elect…: one lane arrives for its warp; whole warps, all lanes together,
/// then call commit or release. _Sync…: behind a __syncwarp, without which what
/// the other lanes wrote or read before is not ordered by the arrival. Leave it
/// out only where something else has ordered them.
template <bool _ElectCommit = false, bool _SyncCommit = true,
          bool _ElectRelease = false, bool _SyncRelease = true>
struct arrivals {
  static constexpr bool elect_commit = _ElectCommit;
  static constexpr bool sync_commit = _SyncCommit;
  static constexpr bool elect_release = _ElectRelease;
  static constexpr bool sync_release = _SyncRelease;
};

/// Every thread arrives on commit and on release.
using thread_arrivals = arrivals<>;
/// One lane a warp arrives on commit and on release.
using warp_arrivals = arrivals<true, true, true, true>;

namespace __detail {

/// Arrives for a group, by thread or by warp.
template <bool _Elect, bool _Sync> struct __arriver {
  /// Arrivals of a group in each phase. A group without threads, or of warps
  /// that are not whole where one lane arrives for 32, traps.
  static __device__ __forceinline__ unsigned __count(group __of) {
    if (__of.size == 0 || (_Elect && __of.size % 32 != 0))
      __trap();
    return _Elect ? __of.size / 32 : __of.size;
  }

  /// Is it this thread that arrives?
  static __device__ __forceinline__ bool __chosen() {
    if (!_Elect)
      return true;
    if (_Sync)
      __syncwarp();
    return ptx::elect_one();
  }

  static __device__ __forceinline__ void __arrive(std::uint64_t *__barrier) {
    if (__chosen())
      ptx::mbarrier_arrive(__barrier);
  }

  static __device__ __forceinline__ void __drop(std::uint64_t *__barrier) {
    if (__chosen())
      ptx::mbarrier_arrive_drop(__barrier);
  }
};

} // namespace __detail
} // namespace kpipe

#endif // KPIPE_ASYNC_ARRIVALS_H
