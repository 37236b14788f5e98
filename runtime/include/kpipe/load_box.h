// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::load_box: has the copy engine bring a box of a matrix.
//
// PTX: cp.async.bulk.tensor (sm_90). The tensor map says how large the box is
// and how its rows are swizzled, see kpipe::tile_map and kpipe::swizzled.
//
// kpipe-inline: load_box
#ifndef KPIPE_RUNTIME_LOAD_BOX_H
#define KPIPE_RUNTIME_LOAD_BOX_H

namespace kpipe {

/// The box whose first element stands in column __column of row __row, for one
/// thread. __tile is aligned to 1024 bytes. __barrier counts the bytes that are
/// there.
template <typename _Tp, int _Rows, int _Columns, typename _Map,
          typename _Barrier>
__device__ __forceinline__ void load_box(_Tp (&__tile)[_Rows][_Columns],
                                         const _Map &__map, int __column,
                                         int __row, _Barrier &__barrier) {
  static_assert(sizeof(_Map) == 128, "kpipe::load_box needs a tensor map");
  static_assert(sizeof(_Barrier) == 8, "kpipe::load_box needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
      :
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__tile))),
        "l"(&__map), "r"(__column), "r"(__row),
        "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__barrier)))
      : "memory");
#else
  static_cast<void>(__tile), static_cast<void>(__map);
  static_cast<void>(__column), static_cast<void>(__row);
  static_cast<void>(__barrier);
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_LOAD_BOX_H
// kpipe-inline: end
