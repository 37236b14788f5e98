// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::swizzled: an element of a tile as the copy engine lays it out.
//
// CUDA Programming Guide, "Swizzle modes": of the pieces of 16 bytes in a line
// of 128 bytes the numbers are changed by that of the line, so that eight rows
// have a column's pieces in different banks. A tile begins at a multiple of
// 1024 bytes. Rows are as wide as the swizzle: 64 or 128 bytes; wider ones are
// panels of 128 bytes, one behind the other.
//
// kpipe-inline: swizzled
#ifndef KPIPE_RUNTIME_SWIZZLED_H
#define KPIPE_RUNTIME_SWIZZLED_H

namespace kpipe {

/// What stands in column __column of row __row. Pieces of 16 bytes stay
/// together. One unsigned index from where the tile begins: of two, or of
/// signed ones, nvcc computes more addresses in the loop.
template <typename _Tp, int _Rows, int _Columns>
__device__ __forceinline__ _Tp &swizzled(_Tp (&__tile)[_Rows][_Columns],
                                         unsigned __row, unsigned __column) {
  constexpr unsigned __bytes = sizeof(_Tp) * _Columns, __pieces = __bytes / 16,
                     __piece = 16 / sizeof(_Tp);
  static_assert(__bytes == 64 || __bytes == 128,
                "kpipe::swizzled needs rows of 64 or 128 bytes");
  unsigned __line = __row / (128 / __bytes);
  return (&__tile[0][0])[__row * _Columns +
                         (__column ^ __line % __pieces * __piece)];
}

template <typename _Tp, int _Panels, int _Rows, int _Columns>
__device__ __forceinline__ _Tp &
swizzled(_Tp (&__tile)[_Panels][_Rows][_Columns], unsigned __row,
         unsigned __column) {
  return swizzled(__tile[__column / _Columns], __row, __column % _Columns);
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_SWIZZLED_H
// kpipe-inline: end
